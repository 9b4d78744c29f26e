import type { Client, PoolConfig } from 'pg'
import type { OptionalTls } from './tls-options.ts'

/**
 * For `sslmode` prefer and allow: tries both ways once, in the order that they ask for, and keeps the one that the server takes. The
 * second way is tried only where the server answered.
 */
export async function settleTls(ClientOfPg: typeof Client, config: PoolConfig, optional: OptionalTls): Promise<PoolConfig> {
  if (optional === null) return config
  const plain = { ...config, ssl: false }
  const [first, second] = optional === 'plain first' ? [plain, config] : [config, plain]
  const failure = await failureOf(ClientOfPg, first)
  return failure === null || !IS_REFUSAL.test(failure) || await failureOf(ClientOfPg, second) !== null ? first : second
}

async function failureOf(ClientOfPg: typeof Client, config: PoolConfig): Promise<string | null> {
  const client = new ClientOfPg({ ...config, connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
  // What is said after the end of a failed connection is of no use to anybody.
  client.on('error', () => {})
  try {
    await client.connect()
    return null
  } catch (error) {
    return error instanceof Error ? `${'code' in error ? String(error.code) : ''} ${error.message}` : 'unknown'
  } finally {
    await client.end().catch(() => {})
  }
}

const CONNECT_TIMEOUT_MS = 1_000
/** The server has no TLS, or its pg_hba.conf wants the other way. */
const IS_REFUSAL = /SSL|TLS|^28000 |^EPROTO|certificate/i
