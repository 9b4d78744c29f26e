import t from 'tap'
import { connectHalfway, UNUSED_MS } from '../support/network/unused-connection.ts'
import { openQueue } from '../support/programs/owners-of-queues.ts'
import { runCommand } from '../support/programs/run-command.ts'
import { redisUrl } from '../support/servers/stores.ts'
import { waitFor } from '../support/wait-for.ts'

for (const name of ['the command', 'the demo']) {
  t.test(`${name} ends although a client never sends the rest of its request`, async t => {
    const url = await redisUrl(t)
    await openQueue(t, 6, 'emails', url).add('send', {})
    const args = name === 'the demo' ? ['demo'] : ['--broker', url, '--backend', await redisUrl(t)]
    const command = runCommand(t, [...args, '--port', '0'])
    await waitFor(() => `the address, in ${command.out}${command.err}`, async () => command.out.includes('Dashboard:'))
    await connectHalfway(t, /http:\/\/127\.0\.0\.1:\d+/.exec(command.out)![0])
    command.child.kill('SIGTERM')
    const late = setTimeout(() => command.child.kill('SIGKILL'), UNUSED_MS)
    await command.ended
    clearTimeout(late)
    t.equal(command.code, 0, 'by itself')
    t.equal(command.err, '')
  })
}
