import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { findNginx } from './binaries.ts'
import { createChildServer } from './child-server.ts'
import { freePort } from './free-port.ts'

/** The four headers of the production guide. nginx inherits them from the server only in locations that set none of their own. */
export const FORWARDED = [
  'Host $http_host', 'X-Real-IP $remote_addr', 'X-Forwarded-For $proxy_add_x_forwarded_for', 'X-Forwarded-Proto $scheme'
]
  .map(header => `proxy_set_header ${header};`).join(' ')

/** Runs a real nginx with these locations until the test ends. Resolves to its address. */
export async function startNginx(t: Pick<Test, 'teardown'>, locations: string): Promise<string> {
  const command = findNginx()
  if (command === null) throw new Error('nginx is not installed: apt-get install nginx-light')
  const folder = await mkdtemp(join(tmpdir(), 'tasks-proxy-'))
  const port = await freePort()
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(name => `${name}_temp_path ${folder}/${name};`).join(' ')
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  const server = `server { listen 127.0.0.1:${port}; ${FORWARDED}\n${locations}\n}`
  await writeFile(
    join(folder, 'nginx.conf'),
    `${user} daemon off; pid ${folder}/pid; error_log stderr; events {} http { access_log off; ${temporary} ${server} }`
  )
  const nginx = createChildServer({
    command,
    args: ['-c', join(folder, 'nginx.conf'), '-p', folder, '-e', 'stderr'],
    stopSignal: 'SIGTERM',
    killSignal: 'SIGKILL',
    isReady: () => fetch(`http://127.0.0.1:${port}/`).then(() => true, () => false)
  })
  t.teardown(async () => {
    await nginx.stop()
    await rm(folder, { recursive: true, force: true })
  })
  await nginx.start()
  return `http://127.0.0.1:${port}`
}
