import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'

export interface Load {
  /**
   * `%t` becomes a different time in each request. The times differ by at least a millisecond, because a query ignores smaller differences.
   */
  readonly url: string
  readonly connections: number
  readonly seconds: number
}

const YEAR_2000 = Date.UTC(2000)

export interface LoadResult {
  readonly requestsPerSecond: number
  /** Average size of a response, headers included. */
  readonly bytes: number
  readonly p50: number
  readonly p99: number
}

/** Requests one address repeatedly with a browser's Accept headers. Runs in a separate process, so that the server has a core to itself. */
export async function measureLoad(load: Load): Promise<LoadResult> {
  const child = fork(fileURLToPath(import.meta.url), [JSON.stringify(load)])
  const [result] = await Promise.race([
    once(child, 'message'), once(child, 'exit').then(() => { throw new Error(`${load.url}: the load ended without a result`) })
  ]) as [LoadResult | string]
  if (typeof result === 'string') throw new Error(result)
  return result
}

if (process.send) {
  const { url, connections, seconds } = JSON.parse(process.argv[2]!) as Load
  let n = 0
  const setupRequest = (request: autocannon.Request): autocannon.Request => ({
    ...request, path: new URL(url).pathname + new URL(url).search.replaceAll('%t', new Date(YEAR_2000 + n++).toISOString())
  })
  const { requests, latency, throughput, non2xx, errors, duration } = await autocannon({
    url, connections, duration: seconds, headers: { 'accept-encoding': 'gzip, deflate, br' }, requests: [{ setupRequest }]
  })
  const result: LoadResult = {
    requestsPerSecond: requests.total / duration, bytes: throughput.total / requests.total, p50: latency.p50, p99: latency.p99
  }
  process.send(non2xx + errors > 0 ? `${url}: ${non2xx} answers that are not 2xx, ${errors} errors` : result, () => process.exit(0))
}
