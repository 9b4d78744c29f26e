/**
 * Where the dashboard is mounted, always with a slash at the end. It is read once: the server writes it into `<base>`, which later changes
 * of the address do not affect. Credentials in the address are removed, because fetch refuses them.
 */
export const mountUrl: URL = (() => {
  const url = new URL('./', document.baseURI)
  url.username = url.password = url.search = url.hash = ''
  return url
})()
