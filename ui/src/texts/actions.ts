import { actions as english } from './en/actions.ts'
import { whenChosen } from './texts.ts'

export let actionTexts = english

whenChosen(chosen => { actionTexts = chosen?.actions ?? english })
