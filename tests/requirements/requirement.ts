/** Area of future work that will implement a deferred requirement. */
export type Deferral = 'market' | 'publish' | 'portal' | 'billing' | 'webhooks' | 'admin' | 'operate'

/** Observable behaviour, and the specification section or decision that requires it. */
export type Requirement = { source: string; behaviour: string; deferred?: Deferral }
