/**
 * `/login?return_to={return}` with the path of a page in it. The path begins with a single slash, because a redirect to two slashes would
 * lead to another host.
 */
export function signInAddress(template: string, { pathname, search }: { readonly pathname: string; readonly search: string }): string {
  return template.replaceAll('{return}', () => encodeURIComponent(pathname.replace(/^[/\\]+/, '/') + search))
}
