/** Keeps this thread from doing anything else, as a long calculation of the host would, but takes no processor time. */
export function blockProcess(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
