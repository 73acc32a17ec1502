/** Topics of a support ticket, with the label of each. */
export const ticketTopics = {
  payment: 'A payment or an invoice',
  approval: 'The review of my account',
  keys: 'Keys or calls',
  data: 'Rates or other data',
  other: 'Something else',
} as const

export type TicketTopic = keyof typeof ticketTopics

export const ticketTopicNames = Object.keys(ticketTopics) as TicketTopic[]

/** `open`: waiting for our reply. */
export const ticketStates = ['open', 'answered', 'closed'] as const

export type TicketState = (typeof ticketStates)[number]

export const maxTicketLength = 5_000
