import type { QueueApp } from '../../lib/index.ts'

/** Declares schedules in code, before the start. Returns a function that makes an operator's edits afterwards. */
export async function declareSchedules(queueApp: QueueApp): Promise<() => Promise<void>> {
  const scheduler = queueApp.createScheduler()
  await scheduler.scheduleCron(
    'reports/daily', '0 6 * * *', 'Yesterday in figures, before the first meeting', { timezone: 'Europe/Berlin', args: ['yesterday'] }
  )
  await scheduler.scheduleCron('日報', '0 18 * * 1-5', 'Daily log of the office in Tokyo', { timezone: 'Asia/Tokyo', args: ['東京'] })
  await scheduler.scheduleCron('sync inventory', '* * * * *', 'Stock of warehouse 1', { overlap: 'skip', args: ['warehouse-1'] })
  // A run takes longer than ten seconds, so some runs are skipped and count as missed.
  await scheduler.scheduleInterval(
    'sync inventory', 10_000, 'Stock of warehouse 2, as often as its slow line allows',
    { id: 'warehouse-2', overlap: 'skip', args: ['warehouse-2'] }
  )
  await scheduler.scheduleInterval('email:send', 30_000, 'Reminders that are due', {
    args: ['reminders@shop.example', 'Your cart misses you']
  })
  const invoices = await scheduler.scheduleCron('invoices:generate', '30 2 1 * *', 'Invoices of the month', { priority: 10, args: [4711] })
  await scheduler.scheduleInterval('webhooks:deliver', 3_600_000, 'Retry what partners missed', {
    enabled: false, args: ['https://partner.example/hooks', { event: 'catalogue.updated' }]
  })
  return async () => {
    await queueApp.operations.updateSchedule(
      invoices, { cron: '15 4 1 * *', description: 'Invoices of the month, after the nightly backup' }, { by: 'ada' }
    )
  }
}
