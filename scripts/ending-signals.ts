/** Sent by Ctrl-C, by supervisors, and when a terminal is closed. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Calls the listener for each signal that asks this process to end.
 * With a listener, Node does not end the process: it must finish by itself.
 * @returns a function that stops listening
 */
export function onEndingSignal(listener: (signal: NodeJS.Signals) => void): () => void {
  for (const signal of SIGNALS) process.on(signal, listener)
  return () => { for (const signal of SIGNALS) process.off(signal, listener) }
}
