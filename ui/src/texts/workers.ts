import { workers as english } from './en/workers.ts'
import { whenChosen } from './texts.ts'

export let workerTexts = english

whenChosen(chosen => { workerTexts = chosen?.workers ?? english })
