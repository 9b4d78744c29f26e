import { errors as english } from './en/errors.ts'
import { whenChosen } from './texts.ts'

export let errorTexts = english

whenChosen(chosen => { errorTexts = chosen?.errors ?? english })
