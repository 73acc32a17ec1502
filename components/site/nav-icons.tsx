import {
  Activity,
  BadgeCheck,
  Bell,
  BookOpen,
  Braces,
  ChartColumn,
  Coins,
  CreditCard,
  FileText,
  Inbox,
  KeyRound,
  LayoutDashboard,
  LifeBuoy,
  type LucideIcon,
  Megaphone,
  Package,
  Rows3,
  Scale,
  ScrollText,
  Send,
  Server,
  Settings,
  Siren,
  Upload,
  UserCheck,
  Users,
  Waypoints,
  Webhook,
} from 'lucide-react'
import type { AdminPage } from '#components/admin/admin-pages.ts'
import type { PortalPage } from '#components/portal/portal-pages.ts'
import type { SitePart } from './site-pages.ts'

/** Icons of the portal's navigation. */
export const portalIcons = {
  overview: LayoutDashboard,
  keys: KeyRound,
  usage: ChartColumn,
  requests: Rows3,
  billing: CreditCard,
  alerts: Bell,
  webhooks: Webhook,
  settings: Settings,
} as const satisfies Record<PortalPage, LucideIcon>

/** Icons of the admin navigation. */
export const adminIcons = {
  overview: Inbox,
  review: UserCheck,
  accounts: Users,
  support: LifeBuoy,
  credits: Coins,
  deliveries: Send,
  imports: Upload,
  products: Package,
  quality: BadgeCheck,
  service: Server,
  incidents: Siren,
  endpoints: Waypoints,
  licences: Scale,
  changelog: Megaphone,
  audit: ScrollText,
} as const satisfies Record<AdminPage, LucideIcon>

/** Icons of the site's sections. */
export const siteIcons = {
  docs: BookOpen,
  reference: Braces,
  prices: FileText,
  changelog: Megaphone,
  status: Activity,
} as const satisfies Record<SitePart, LucideIcon>
