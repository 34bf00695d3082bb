/** Numbers as people read them. Nothing is shown as `-` where there is no number. */
const NONE = '-';

/** `1,204 runs` */
export function count(number: number, noun: string, nouns = `${noun}s`): string {
  return `${whole(number)} ${number === 1 ? noun : nouns}`;
}

export function whole(number: number): string {
  return Math.round(number).toLocaleString('en');
}

/** @param share 0 to 1 */
export function percent(share: number | null | undefined): string {
  return share === null || share === undefined || Number.isNaN(share)
    ? NONE
    : `${(share * 100).toFixed(1)} %`;
}

/** `1.2 ms`, `340 ms`, `12.5 s`, `3 min 20 s` */
export function duration(milliseconds: number | null | undefined): string {
  if (milliseconds === null || milliseconds === undefined) return NONE;
  if (milliseconds < 9.95) return `${Number(milliseconds.toPrecision(2))} ms`;
  if (milliseconds < 999.5) return `${milliseconds.toFixed(0)} ms`;
  if (milliseconds < 59_950) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60).toLocaleString('en')} h ${minutes % 60} min`;
}

/** Without a unit: whatever currency the prices were in. Small sums keep three digits. */
export function money(sum: number): string {
  if (sum === 0) return '0';
  return sum >= 1
    ? sum.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
    : `${Number(sum.toPrecision(3))}`;
}

/** What calls have cost, as far as it is known: `?` where no price is, `0.5+` where some are. */
export function knownMoney({ cost, unpriced }: { readonly cost: number; readonly unpriced: number }): string {
  if (unpriced === 0) return money(cost);
  return cost === 0 ? '?' : `${money(cost)}+`;
}
