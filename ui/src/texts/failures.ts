import { failures as english } from './en/failures.ts'
import { whenChosen } from './texts.ts'

export let failureTexts = english

whenChosen(chosen => { failureTexts = chosen?.failures ?? english })
