/** The area of later work that will build a requirement. */
export type Deferral = 'market' | 'publish' | 'portal' | 'billing' | 'webhooks' | 'desk' | 'operate'

/** One behaviour that can be observed from outside, and the section that asks for it. */
export type Requirement = { source: string; behaviour: string; deferred?: Deferral }
