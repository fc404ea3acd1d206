/** What stands for a figure that is not known; zero is a figure. */
export const unknown = '–'

/** How much room a figure may take: `full`, at most 6 columns, at most 4. */
export type Form = 'full' | 'short' | 'compact'

/** 35.2, 358.4, 1,465, 28.1K, 1.2M; compact 35, 358, 1465, 28K. */
export function perSecond(value: number | null, form: Form = 'full'): string {
  if (value === null) return unknown
  if (form !== 'compact') {
    if (value < 999.95) return value.toFixed(1)
    return value < 9_999.5 ? thousands(value) : large(value, 1)
  }
  if (value < 9.95) return value.toFixed(1)
  return value < 9_999.5 ? value.toFixed(0) : large(value, 0)
}

/** 6.8 ms, 94 ms, 1,026 ms, 12.8 s, 135 s; short 1.0 s; compact 94ms, 0.3s. */
export function milliseconds(value: number | null, form: Form = 'full'): string {
  if (value === null) return unknown
  const space = form === 'compact' ? '' : ' '
  if (value < 9.95) return `${value.toFixed(form === 'compact' ? 0 : 1)}${space}ms`
  if (value < secondsFrom[form]) return `${thousands(value)}${space}ms`
  const seconds = value / 1000
  return `${seconds.toFixed(seconds < (form === 'compact' ? 9.95 : 99.95) ? 1 : 0)}${space}s`
}

const secondsFrom: Readonly<Record<Form, number>> = { full: 1_999.5, short: 999.5, compact: 99.5 }

/** An amount of tokens: 288, 8K, 1019K; K = 1024, rounded down. */
export function tokens(value: number | null): string {
  if (value === null) return unknown
  return value < 1024 ? value.toFixed(0) : `${Math.floor(value / 1024)}K`
}

/** A context length, exact, as it can be typed: 8K, 1050, 251K. Different lengths never have the same name. */
export function contextName(value: number | null): string {
  return value !== null && value > 0 && value % 1024 === 0 ? tokens(value) : String(value ?? unknown)
}

/** 1,234,567 */
export function count(value: number | null): string {
  return value === null ? unknown : thousands(value)
}

/** All digits that are asked for: 1,464.6 with one. */
export function exact(value: number | null, digits: number): string {
  return value === null ? unknown : value.toFixed(digits).replace(/\B(?=(\d{3})+(?!\d))(?<!\.\d*)/g, ',')
}

/** 1 request, 12 requests. */
export function amount(n: number, noun: string): string {
  return `${count(n)} ${noun}${n === 1 ? '' : 's'}`
}

/** 2.84; compact 2.8; from 100 on without decimals. */
export function decimal(value: number | null, digits: number, form: Form = 'full'): string {
  if (value === null) return unknown
  return value >= 100 ? count(value) : value.toFixed(form === 'compact' ? Math.min(1, digits) : digits)
}

/** 0.874 as 87%. */
export function percent(share: number | null): string {
  return share === null ? unknown : `${Math.round(share * 100)}%`
}

/** 0.0043 as 0.4%, 1.0069 as 100.7%. */
export function finePercent(share: number | null): string {
  return share === null ? unknown : `${(share * 100).toFixed(1)}%`
}

/** 83 as 1:23, 3,723 as 1:02:03. */
export function clock(seconds: number | null): string {
  if (seconds === null) return unknown
  const whole = Math.max(0, Math.floor(seconds))
  const two = (value: number) => String(value).padStart(2, '0')
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor(whole / 60) % 60
  const rest = `${two(whole % 60)}`
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`
}

function thousands(value: number): string {
  return Math.round(value)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ',')
}

function large(value: number, digits: number): string {
  const inThousands = (value / 1000).toFixed(digits)
  return Number(inThousands) < 1000 ? `${inThousands}K` : `${(value / 1e6).toFixed(1)}M`
}
