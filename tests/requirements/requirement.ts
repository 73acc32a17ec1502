/** Area of the later work that will implement a requirement. */
export type Deferral = 'market' | 'publish' | 'portal' | 'billing' | 'webhooks' | 'desk' | 'operate'

/** Observable behaviour, and the section that requires it. */
export type Requirement = { source: string; behaviour: string; deferred?: Deferral }
