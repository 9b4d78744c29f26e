/** Keeps this process from doing anything else, as a long calculation of the host would. */
export function blockProcess(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}
