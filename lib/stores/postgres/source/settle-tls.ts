import type { Client, PoolConfig } from 'pg'
import { TLS_TRIED_MS } from '../../../time/budgets.ts'
import { closeClient } from '../pool/client-state.ts'
import type { OptionalTls } from './tls-options.ts'

/**
 * For `sslmode` prefer and allow: tries both ways once, in the order they imply, and uses the one that the server accepts. The second is
 * tried only if the server refused the first. It is used unless it is refused too: a slow server, or a wrong password, says nothing about
 * TLS.
 */
export async function settleTls(ClientOfPg: typeof Client, config: PoolConfig, optional: OptionalTls): Promise<PoolConfig> {
  if (optional === null) return config
  const plain = { ...config, ssl: false }
  const [first, second] = optional === 'plain first' ? [plain, config] : [config, plain]
  const failure = await failureOf(ClientOfPg, first)
  if (failure === null || !IS_REFUSAL.test(failure)) return first
  const next = await failureOf(ClientOfPg, second)
  return next !== null && IS_REFUSAL.test(next) ? first : second
}

async function failureOf(ClientOfPg: typeof Client, config: PoolConfig): Promise<string | null> {
  const client = new ClientOfPg({ ...config, connectionTimeoutMillis: TLS_TRIED_MS })
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

/** The server has no TLS, or its pg_hba.conf requires the other way. */
const IS_REFUSAL = /SSL|TLS|^28000 |^EPROTO|certificate/i
