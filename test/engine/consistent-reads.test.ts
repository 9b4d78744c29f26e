import t from 'tap'
import { testConsistentReads } from '../contracts/engine-reads.ts'
import { onEveryStore } from '../support/stores.ts'

t.test('what is read of an execution is of one moment', t => onEveryStore(t, testConsistentReads))
