import type { DataReservation } from "./ReceivedData.ts"
import { type Share, sharedQuota } from "./SharedQuota.ts"
import type { SmtpLimits } from "./SmtpLimits.ts"
import { replies } from "./SmtpReply.ts"

/** The owners to which the capacity of a mail is charged while it is received and stored. */
export interface TransferOwners {
  /** The client's network; null for a trusted network, which has no separate limits. */
  readonly network: string | null
  readonly tenants: ReadonlyArray<string>
}

/** The data of one mail, from DATA until the mail is stored or refused. */
export interface Transfer extends DataReservation {
  /** Ends the transfer immediately. */
  readonly abort: () => void
  /** Returns whether the data arrives too slowly. Must be called every second. */
  readonly isTooSlow: () => boolean
  /** Releases the capacity of the mail. */
  readonly end: () => void
}

/** The period of the mail rate per tenant in seconds. */
const rateSeconds = 60

/** Returns the share of a network in a quota; none for a trusted network. */
export const shareOfNetwork = (network: string | null, limit: number): ReadonlyArray<Share> =>
  network === null ? [] : [{ owner: `network ${network}`, limit }]

const sharesOfTenants = (tenants: ReadonlyArray<string>, limit: number): ReadonlyArray<Share> =>
  tenants.map((tenantId) => ({ owner: `tenant ${tenantId}`, limit }))

/**
 * Limits the mails that are being received or stored: their bytes, their minimum data rate, and their number per
 * tenant.
 */
export class TransferLimiter {
  readonly #limits: SmtpLimits
  readonly #isFull: () => boolean
  readonly #bytes
  readonly #mails
  /** The number of mails in the current minute, by tenant. */
  readonly #recent = new Map<string, number>()
  #seconds = 0

  /** `isFull`: whether all connections are in use. */
  constructor(limits: SmtpLimits, isFull: () => boolean) {
    this.#limits = limits
    this.#isFull = isFull
    this.#bytes = sharedQuota(limits.spoolBytes)
    this.#mails = sharedQuota(Number.POSITIVE_INFINITY)
  }

  /** Returns whether a tenant has reached its mail rate. */
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

  /** Starts a new minute of the mail rates every 60 calls. Must be called every second. */
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
