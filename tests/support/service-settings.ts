/** Settings, except the database, for a service that runs in the same process as its tests. */
export const serviceSettings = {
  publicUrl: 'https://api.example.test',
  secret: 'a secret of the tests that is long enough',
  deprecation: null,
  sunset: null,
  securityContact: null,
  supportEmail: null,
  isPooled: false,
  replicaUrl: null,
  providers: { google: null, oidc: null },
  smtp: null,
  payment: { stripeKey: null, webhookSecret: null, stripeBase: null, vat: null, fourEyesCredits: 1_000 },
  developmentFeatures: false,
  webhooksAllowPrivate: false,
  marketSources: [],
}
