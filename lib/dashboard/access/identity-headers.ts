/**
 * Headers in which authenticating proxies pass on the user. They distinguish callers but prove nothing. Only names, not tokens, because
 * tokens are renewed.
 */
export const IDENTITY_HEADERS = [
  // oauth2-proxy, Traefik, Apache, nginx.
  'x-forwarded-user', 'x-forwarded-email', 'x-forwarded-preferred-username', 'x-auth-request-user', 'x-auth-request-email', 'remote-user',
  'x-remote-user', 'x-webauth-user',
  // Specific products.
  'x-authentik-username', 'x-consumer-username', 'x-goog-authenticated-user-email', 'cf-access-authenticated-user-email',
  'tailscale-user-login', 'x-ms-client-principal-id', 'x-amzn-oidc-identity'
] as const
