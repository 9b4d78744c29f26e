/** Keeps a processor busy for a moment: this is why the task is of type `cpu`. */
export default function dailyReport(_day: string): { orders: number; median: number } {
  const amounts = Float64Array.from({ length: 400_000 }, () => Math.random() * 300).sort()
  return { orders: amounts.length, median: Math.round(amounts[amounts.length / 2]! * 100) / 100 }
}
