import type { Client, PoolConfig } from 'pg'
import { closeClient } from '../pool/client-state.ts'
import type { OptionalTls } from './tls-options.ts'

/**
 * For `sslmode` prefer and allow: tries both ways once, in the order they imply, and uses the one that the server accepts. The second is
 * tried only if the server responded.
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
  // Errors after a failed connection has ended are irrelevant.
  client.on('error', () => {})
  try {
    await client.connect()
    return null
  } catch (error) {
    return error instanceof Error ? `${'code' in error ? String(error.code) : ''} ${error.message}` : 'unknown'
  } finally {
    await closeClient(client)
  }
}

const CONNECT_TIMEOUT_MS = 1_000
/** The server has no TLS, or its pg_hba.conf requires the other way. */
const IS_REFUSAL = /SSL|TLS|^28000 |^EPROTO|certificate/i
