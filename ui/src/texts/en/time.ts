/** Times, durations, and the time range of a page. */
export const time = {
  units: { ms: 'ms', s: 's', m: 'm', h: 'h', d: 'd', w: 'w', y: 'y' },
  now: 'now',
  dueNow: 'due now',
  due: (when: string) => `due ${when}`,
  ago: (span: string) => `${span} ago`,
  in: (span: string) => `in ${span}`,
  yourTime: 'your time',
  /** The server's description of when a schedule runs. Other languages translate it. */
  sayOfTiming: (human: string): string => human,

  range: 'Time range',
  all: 'All',
  allTime: 'All time',
  other: 'Other…',
  last: 'Last',
  from: 'From',
  to: 'to',
  show: 'Show',
  presets: {
    '15m': 'Last 15 minutes', '1h': 'Last hour', '24h': 'Last 24 hours', '7d': 'Last 7 days', '30d': 'Last 30 days', '90d': 'Last 90 days',
    '1y': 'Last year'
  },
  lastSpan: (span: string) => `Last ${span}`,
  since: (start: string) => `Since ${start}`,
  between: (start: string, end: string) => `${start} to ${end}`,
  /** At the end of a sentence, with the space before it. */
  inPresets: {
    '15m': ' in the last 15 minutes', '1h': ' in the last hour', '24h': ' in the last 24 hours', '7d': ' in the last 7 days',
    '30d': ' in the last 30 days', '90d': ' in the last 90 days', '1y': ' in the last year'
  },
  inLastSpan: (span: string) => ` in the last ${span}`,
  sinceThen: (start: string) => ` since ${start}`,
  fromTo: (start: string, end: string) => ` from ${start} to ${end}`,

  howToWrite: 'Write 45m, 6h or 30d, up to 1y.',
  giveBeginning: 'Enter a start.',
  hasNotBegun: 'It has not started yet.',
  endsBeforeItBegins: 'It ends before it starts.',
  noRange: (text: string) => `“${text}” is not a time range: write 45m, 6h or 30d, up to 1y`,
  noTime: (text: string) => `“${text}” is not a time`,
  needsBeginning: 'A range needs a start',
  rangeHasNotBegun: 'This range has not started yet',
  rangeEndsBefore: 'This range ends before it starts',
  rangeTooLong: 'This range starts more than a year ago',
  shownInstead: (problem: string, range: string) => `${problem}. Shown instead: ${range}.`
}
