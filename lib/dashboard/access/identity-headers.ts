/**
 * Headers in which proxies that sign people in name them to what is behind. They tell callers apart and prove nothing. Names of people, no
 * tokens: those are renewed.
 */
export const IDENTITY_HEADERS = [
  // oauth2-proxy, Traefik, Apache, nginx.
  'x-forwarded-user', 'x-forwarded-email', 'x-forwarded-preferred-username', 'x-auth-request-user', 'x-auth-request-email', 'remote-user',
  'x-remote-user', 'x-webauth-user',
  // By name.
  'x-authentik-username', 'x-consumer-username', 'x-goog-authenticated-user-email', 'cf-access-authenticated-user-email',
  'tailscale-user-login', 'x-ms-client-principal-id', 'x-amzn-oidc-identity'
] as const
