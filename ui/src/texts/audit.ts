import { audit as english } from './en/audit.ts'
import { whenChosen } from './texts.ts'

export let auditTexts = english

whenChosen(chosen => { auditTexts = chosen?.audit ?? english })
