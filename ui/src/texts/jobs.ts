import { jobs as english } from './en/jobs.ts'
import { whenChosen } from './texts.ts'

export let jobTexts = english

whenChosen(chosen => { jobTexts = chosen?.jobs ?? english })
