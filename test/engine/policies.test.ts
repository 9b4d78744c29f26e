import t from 'tap'
import { testPolicies } from '../contracts/engine-policies.ts'
import { onEveryStore } from '../support/servers/stores.ts'

t.test('executions start when their policies allow it', t => onEveryStore(t, testPolicies))
