import { type Share, sharedQuota } from "./SharedQuota.ts"
import type { SmtpLimits } from "./SmtpLimits.ts"
import { clientNetwork } from "./SmtpNetwork.ts"
import { replies, type SmtpReply } from "./SmtpReply.ts"
import { shareOfNetwork, type Transfer, TransferLimiter } from "./TransferLimiter.ts"

/** A connection of the mail server. `send` with 421 also closes it. */
export interface ClientConnection {
  readonly id: string
  readonly send: (code: number, text: string) => void
  readonly close: () => void
}

interface Client {
  readonly id: string
  /** The client's network; null for a trusted network, to which limits per network do not apply. */
  readonly network: string | null
  readonly timer: NodeJS.Timeout
  refused: number
  /** The tenants of the recipients of the current mail. */
  readonly tenants: Set<string>
  transfer: Transfer | null
  /** The number of seconds since the last mail, or since the start of the connection if there was none. */
  unproductive: number
}

/** Limits the clients of a mail server, so that no network and no tenant can exhaust the shared capacity. */
export class ConnectionLimiter {
  readonly #limits: SmtpLimits
  readonly #lines: () => Iterable<ClientConnection>
  readonly #isTrusted: (address: string) => boolean
  readonly #clients = new Map<string, Client>()
  readonly #connections
  readonly #transfers: TransferLimiter
  #stopping = false

  /** `lines` returns the open connections of the server. */
  constructor(limits: SmtpLimits, lines: () => Iterable<ClientConnection>, isTrusted: (address: string) => boolean) {
    this.#limits = limits
    this.#lines = lines
    this.#isTrusted = isTrusted
    this.#connections = sharedQuota(limits.connections)
    this.#transfers = new TransferLimiter(limits, () => this.#isFull())
  }

  /** Admits a connection. Returns null, or a reply when the connection is refused. */
  enter(id: string, address: string): SmtpReply | null {
    const network = this.#isTrusted(address) ? null : clientNetwork(address)
    const shares = this.#sharesOf({ network })
    if (shares.some(({ limit, owner }) => this.#connections.used(owner) >= limit)) return replies.tooManyConnections
    if (this.#isFull()) this.#makeRoom()
    if (!this.#connections.take(shares, 1)) return replies.full
    const timer = setTimeout(() => this.dismiss(id, replies.tooSlow), this.#limits.connectionMillis).unref()
    this.#clients.set(id, { id, network, timer, refused: 0, tenants: new Set(), transfer: null, unproductive: 0 })
    return null
  }

  leave(id: string): void {
    const client = this.#clients.get(id)
    if (client === undefined) return
    clearTimeout(client.timer)
    this.#clients.delete(id)
    this.#connections.give(this.#sharesOf(client), 1)
  }

  /** Counts an unknown recipient and returns the reply. */
  refuse(id: string): SmtpReply {
    const client = this.#clients.get(id)
    if (client !== undefined) client.refused += 1
    return (client?.refused ?? 0) > this.#limits.refusals ? replies.tooManyRefusals : replies.unknownRecipient
  }

  /** Starts a mail without recipients. */
  beginEnvelope(id: string): void {
    this.#clients.get(id)?.tenants.clear()
  }

  /** Adds the tenant of a recipient. Returns null, or a reply when the recipient is refused. */
  addRecipient(id: string, tenantId: string): SmtpReply | null {
    if (this.#transfers.isOverRate(tenantId)) return replies.recipientBusy
    this.#clients.get(id)?.tenants.add(tenantId)
    return null
  }

  /** Starts the data of a mail. `abort` is called to end the transfer immediately. */
  begin(id: string, abort: () => void): Transfer {
    const client = this.#clients.get(id)
    const transfer = this.#transfers.begin(
      { network: client?.network ?? null, tenants: [...(client?.tenants ?? [])] },
      abort
    )
    if (client !== undefined) client.transfer = transfer
    return transfer
  }

  /** Ends the data of a mail, whether it was stored or not. */
  end(id: string, transfer: Transfer): void {
    transfer.end()
    const client = this.#clients.get(id)
    if (client !== undefined) {
      client.transfer = null
      client.unproductive = 0
    }
    // The reply must be sent before the connection closes.
    if (this.#stopping) setImmediate(() => this.#dismissIdle())
  }

  /** Closes a connection with a reply. */
  dismiss(id: string, { code, text }: SmtpReply): void {
    const line = [...this.#lines()].find((each) => each.id === id)
    line?.send(code, text)
    if (code !== 421) line?.close()
    const transfer = this.#clients.get(id)?.transfer
    this.leave(id)
    transfer?.abort()
  }

  /**
   * Closes connections whose mail arrives too slowly, and advances the time of all limits. Must be called every second.
   */
  tick(): void {
    for (const { id, transfer } of this.#clients.values()) {
      if (transfer?.isTooSlow() === true) this.dismiss(id, replies.tooSlow)
    }
    for (const client of this.#clients.values()) client.unproductive += client.transfer === null ? 1 : 0
    this.#transfers.tick()
  }

  /** Closes idle connections immediately, and other connections after their current mail. */
  stop(): void {
    this.#stopping = true
    this.#dismissIdle()
  }

  #sharesOf({ network }: Pick<Client, "network">): ReadonlyArray<Share> {
    return shareOfNetwork(network, this.#limits.connectionsPerNetwork)
  }

  #isFull(): boolean {
    return this.#connections.used() >= this.#limits.connections
  }

  #dismissIdle(): void {
    for (const { id } of this.#lines()) {
      if ((this.#clients.get(id)?.transfer ?? null) === null) this.dismiss(id, replies.stopping)
    }
  }

  /**
   * Closes one idle connection. It belongs to the network with the most connections. Of these connections, it is the
   * one with the longest time since its last mail.
   */
  #makeRoom(): void {
    const sizeOf = (client: Client): number => this.#connections.used(this.#sharesOf(client)[0]?.owner ?? "")
    const [idle] = [...this.#clients.values()]
      .filter(({ transfer, unproductive }) => transfer === null && unproductive >= this.#limits.stressIdleSeconds)
      .toSorted((one, other) => sizeOf(other) - sizeOf(one) || other.unproductive - one.unproductive)
    if (idle !== undefined) this.dismiss(idle.id, replies.idle)
  }
}
