import { executions as english } from './en/executions.ts'
import { whenChosen } from './texts.ts'

export let executionTexts = english

whenChosen(chosen => { executionTexts = chosen?.executions ?? english })
