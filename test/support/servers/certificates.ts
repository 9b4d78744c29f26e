import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findOpenssl } from './binaries.ts'
import type { TestScope } from './stores.ts'

const run = promisify(execFile)

/** A private certificate authority, with a certificate for servers on this machine and one for a client. */
export interface Certificates {
  /** PEM texts. */
  readonly ca: string
  readonly client: { readonly cert: string; readonly key: string }
  /** From an authority that signed none of the certificates above. */
  readonly otherCa: string
  /** The same, as files. */
  readonly files: Readonly<Record<'ca' | 'otherCa' | 'serverCert' | 'serverKey' | 'clientCert' | 'clientKey', string>>
}

export interface CertificateOptions {
  /** Hosts of the server's certificate, in OpenSSL's notation. Default `DNS:localhost,IP:127.0.0.1`. */
  hosts?: string
  /** Common name of the client's certificate, which PostgreSQL takes as the user. Default `tasks`. */
  user?: string
}

/** Creates the certificates with openssl; they are removed when the test ends. */
export async function createCertificates(
  t: TestScope, { hosts = 'DNS:localhost,IP:127.0.0.1', user = 'tasks' }: CertificateOptions = {}
): Promise<Certificates> {
  const found = findOpenssl()
  if (found === null) throw new Error('openssl is not installed: apt-get install openssl')
  const openssl = found
  const folder = await mkdtemp(join(tmpdir(), 'tasks-certificates-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  // Servers that run as another user must be able to read them.
  await chmod(folder, 0o755)
  const at = (name: string): string => join(folder, name)
  const authority = (name: string) =>
    run(
      openssl,
      ['req', '-x509', ...KEY, '-keyout', at(`${name}.key`), '-out', at(`${name}.pem`), '-days', '2', '-subj', `/CN=Test authority ${name}`]
    )
  async function signed(name: string, commonName: string, extension: string): Promise<void> {
    await run(openssl, ['req', ...KEY, '-keyout', at(`${name}.key`), '-out', at(`${name}.csr`), '-subj', `/CN=${commonName}`])
    await writeFile(at(`${name}.ext`), extension)
    const authority = ['-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-set_serial', String(serial++)]
    await run(
      openssl,
      ['x509', '-req', '-in', at(`${name}.csr`), ...authority, '-days', '2', '-extfile', at(`${name}.ext`), '-out', at(`${name}.pem`)]
    )
    await chmod(at(`${name}.key`), 0o644)
  }
  let serial = 10
  await Promise.all([authority('ca'), authority('other')])
  await Promise.all([signed('server', 'localhost', `subjectAltName=${hosts}`), signed('client', user, 'extendedKeyUsage=clientAuth')])
  const read = (name: string): Promise<string> => readFile(at(name), 'utf8')
  const [ca, otherCa, cert, key] = await Promise.all([read('ca.pem'), read('other.pem'), read('client.pem'), read('client.key')])
  return {
    ca,
    otherCa,
    client: { cert, key },
    files: {
      ca: at('ca.pem'), otherCa: at('other.pem'), serverCert: at('server.pem'), serverKey: at('server.key'), clientCert: at('client.pem'),
      clientKey: at('client.key')
    }
  }
}

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
