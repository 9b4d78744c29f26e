import t from 'tap'
import { testConsistentReads } from '../contracts/engine-reads.ts'
import { onEveryStore } from '../support/servers/stores.ts'

t.test('every read of an execution shows the state of a single moment', t => onEveryStore(t, testConsistentReads))
