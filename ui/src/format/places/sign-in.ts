/** `/login?return_to={return}` with the path of a page in it. Two slashes at its beginning would be another host to who redirects there. */
export function signInAddress(template: string, { pathname, search }: { readonly pathname: string; readonly search: string }): string {
  return template.replaceAll('{return}', () => encodeURIComponent(pathname.replace(/^[/\\]+/, '/') + search))
}
