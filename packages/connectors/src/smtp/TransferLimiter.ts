import type { DataReservation } from "./ReceivedData.ts"
import { type Share, sharedQuota } from "./SharedQuota.ts"
import type { SmtpLimits } from "./SmtpLimits.ts"
import { replies } from "./SmtpReply.ts"

/** Where a mail comes from, and whose it is. */
export interface TransferOwners {
  /** Null: a trusted network, which has no share of its own. */
  readonly network: string | null
  readonly tenants: ReadonlyArray<string>
}

/** The data of one mail, from DATA until it is stored or lost. */
export interface Transfer extends DataReservation {
  /** Ends the transfer at once. */
  readonly abort: () => void
  /** Called every second. True: the data arrives too slowly. */
  readonly isTooSlow: () => boolean
  /** Frees the place of the mail. */
  readonly end: () => void
}

/** Over what the rate of mails to a tenant is counted. Seconds. */
const rateSeconds = 60

/** The share of a network in a quota; a trusted one has none. */
export const shareOfNetwork = (network: string | null, limit: number): ReadonlyArray<Share> =>
  network === null ? [] : [{ owner: `network ${network}`, limit }]

const sharesOfTenants = (tenants: ReadonlyArray<string>, limit: number): ReadonlyArray<Share> =>
  tenants.map((tenantId) => ({ owner: `tenant ${tenantId}`, limit }))

/** Limits the mails in flight: their bytes, how slowly they arrive, and how many a tenant gets. */
export class TransferLimiter {
  readonly #limits: SmtpLimits
  readonly #isFull: () => boolean
  readonly #bytes
  readonly #mails
  /** Mails of the current minute, by tenant. */
  readonly #recent = new Map<string, number>()
  #seconds = 0

  /** `isFull`: whether every connection is in use. */
  constructor(limits: SmtpLimits, isFull: () => boolean) {
    this.#limits = limits
    this.#isFull = isFull
    this.#bytes = sharedQuota(limits.spoolBytes)
    this.#mails = sharedQuota(Number.POSITIVE_INFINITY)
  }

  /** Whether a tenant has had its mails of this minute. */
  isOverRate(tenantId: string): boolean {
    return (this.#recent.get(tenantId) ?? 0) >= this.#limits.mailsPerMinutePerTenant
  }

  begin({ network, tenants }: TransferOwners, abort: () => void): Transfer {
    const { dataRateSeconds, mailsPerTenant, spoolBytesPerNetwork, spoolBytesPerTenant } = this.#limits
    const inFlight = sharesOfTenants(tenants, mailsPerTenant)
    const isAdmitted = this.#mails.take(inFlight, 1)
    for (const tenantId of tenants) this.#recent.set(tenantId, (this.#recent.get(tenantId) ?? 0) + 1)
    const shares = [...shareOfNetwork(network, spoolBytesPerNetwork), ...sharesOfTenants(tenants, spoolBytesPerTenant)]
    const window = { bytes: 0, seconds: 0, waitsForClient: false }
    let taken = 0
    return {
      abort,
      refusal: isAdmitted ? null : replies.recipientBusy,
      take: (amount) => {
        const fits = this.#bytes.take(shares, amount)
        if (fits) taken += amount
        return fits
      },
      note: (amount, waitsForClient) => {
        window.bytes += amount
        window.waitsForClient = waitsForClient
      },
      isTooSlow: () => {
        if (window.waitsForClient) window.seconds += 1
        if (window.seconds < dataRateSeconds) return false
        const isSlow = window.bytes < this.#minDataRate() * dataRateSeconds
        window.bytes = 0
        window.seconds = 0
        return isSlow
      },
      end: () => {
        if (isAdmitted) this.#mails.give(inFlight, 1)
        this.#bytes.give(shares, taken)
      }
    }
  }

  /** Called every second. */
  tick(): void {
    this.#seconds = (this.#seconds + 1) % rateSeconds
    if (this.#seconds === 0) this.#recent.clear()
  }

  #minDataRate(): number {
    const { minDataRate, spoolBytes, stressMinDataRate } = this.#limits
    const isStressed = this.#bytes.used() > spoolBytes / 2 || this.#isFull()
    return isStressed ? Math.max(stressMinDataRate, minDataRate) : minDataRate
  }
}
