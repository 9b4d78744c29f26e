import { existsSync, readFileSync } from 'node:fs'
import { findChromium, findHeadlessShell } from '../test/support/programs/chromium.ts'
import {
  findHaproxy, findNginx, findOpenssl, findPgbouncer, findPostgresFolder, findProgram, findRedisServer
} from '../test/support/servers/binaries.ts'
import { run } from './run.ts'

const programs = [
  { find: findRedisServer, package: 'redis-server' },
  { find: findPostgresFolder, package: 'postgresql' },
  { find: findNginx, package: 'nginx-light' },
  { find: findPgbouncer, package: 'pgbouncer' },
  { find: findHaproxy, package: 'haproxy' },
  { find: findOpenssl, package: 'openssl' }
]

/** Installs the programs that the tests run, if Debian or Ubuntu allows it. Otherwise explains how to install them and exits. */
export async function ensurePrograms(): Promise<void> {
  const missing = programs.filter(program => program.find() === null).map(program => program.package)
  const needsChromium = findChromium() === null
  if (missing.length === 0 && !needsChromium) return

  // Ubuntu only has Chromium as a snap, which needs a running snapd.
  const chromiumFromDebian = needsChromium && distribution() === 'debian'
  const packages = chromiumFromDebian ? [...missing, 'chromium'] : missing
  const commands = [
    ...(packages.length === 0 ? [] : ['apt-get update', `apt-get install --yes --no-install-recommends ${packages.join(' ')}`]),
    ...(needsChromium && !chromiumFromDebian ? ['npx playwright-core install --with-deps chromium'] : [])
  ]
  console.log(`# Installing what the tests run: ${[...missing, ...(needsChromium ? ['chromium'] : [])].join(', ')}`)
  for (const command of commands) {
    if (await asRoot(command)) continue
    console.error(
      `The tests need programs that are not installed. Run as root:\n${commands.map(each => `  ${each}`).join('\n')}\nthen npm test again.`
    )
    console.log('0 passed, 1 failed')
    process.exit(1)
  }
}

/** Without it, the browser tests run in the full Chromium, which only takes longer. So it does not matter if the installation fails. */
export async function addHeadlessShell(): Promise<void> {
  if (findHeadlessShell() !== null || distribution() !== 'debian') return
  console.log('# Installing chromium-headless-shell, in which the browser tests take less time')
  const apt = 'apt-get -o Acquire::Retries=0 -o Acquire::http::Timeout=10 -o Acquire::https::Timeout=10'
  // It must have the version of the installed Chromium. Any other version would replace that.
  await asRoot(`version=$(dpkg-query --show --showformat '\${Version}' chromium-common); ${apt} update
    ${apt} install --yes --no-install-recommends --no-remove chromium-headless-shell=$version`)
}

async function asRoot(command: string): Promise<boolean> {
  if (command.startsWith('apt-get') && findProgram('apt-get') === null) return false
  // Packages start their servers when they are installed. This prevents it, because the tests start servers on their own ports and folders.
  const script = `set -e; export DEBIAN_FRONTEND=noninteractive; policy=/usr/sbin/policy-rc.d
    if [ ! -e $policy ]; then printf '#!/bin/sh\\nexit 101\\n' > $policy; chmod 755 $policy; trap 'rm -f '$policy EXIT; fi
    ${command}`
  if (process.getuid?.() === 0) return await run('sh', ['-c', script], { onLine: line => console.log(`#   ${line}`) }) === 0
  if (command.startsWith('npx')) return await run('sh', ['-c', command]) === 0
  const sudo = findProgram('sudo')
  return sudo !== null && await run(sudo, ['-n', 'sh', '-c', script], { onLine: line => console.log(`#   ${line}`) }) === 0
}

function distribution(): string {
  if (!existsSync('/etc/os-release')) return 'unknown'
  return /^ID=(.*)$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1]?.replaceAll('"', '') ?? 'unknown'
}
