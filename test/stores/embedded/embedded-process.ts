import { createStore } from '../../../lib/stores/create-store.ts'

// A process that writes to an embedded folder until it is killed. It prints what was acknowledged, or how soon the folder was refused.
const begun = performance.now()
process.on('exit', () => console.log(`ended after ${Math.round(performance.now() - begun)} ms`))
const store = createStore(process.argv[2]!, { namespace: 'killed', role: 'broker', onError() {} })
await store.start()
for (;;) console.log(`written ${await store.documents.increment('writes', 'all', 1)}`)
