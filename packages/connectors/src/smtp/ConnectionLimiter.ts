import { type Share, sharedQuota } from "./SharedQuota.ts"
import type { SmtpLimits } from "./SmtpLimits.ts"
import { clientNetwork } from "./SmtpNetwork.ts"
import { replies, type SmtpReply } from "./SmtpReply.ts"
import { shareOfNetwork, type Transfer, TransferLimiter } from "./TransferLimiter.ts"

/** What a mail server can do to a connection: `send` of a 421 closes it. */
export interface ClientConnection {
  readonly id: string
  readonly send: (code: number, text: string) => void
  readonly close: () => void
}

interface Client {
  readonly id: string
  /** Null: a trusted network, which has no limits of its own. */
  readonly network: string | null
  readonly timer: NodeJS.Timeout
  refused: number
  /** Tenants of the recipients of the current mail. */
  readonly tenants: Set<string>
  transfer: Transfer | null
  /** Seconds since it connected, or since its last mail. */
  unproductive: number
}

/** Limits the clients of a mail server, so that no network and no tenant uses up what others need. */
export class ConnectionLimiter {
  readonly #limits: SmtpLimits
  readonly #lines: () => Iterable<ClientConnection>
  readonly #isTrusted: (address: string) => boolean
  readonly #clients = new Map<string, Client>()
  readonly #connections
  readonly #transfers: TransferLimiter
  #stopping = false

  /** `lines`: the connections of the server. */
  constructor(limits: SmtpLimits, lines: () => Iterable<ClientConnection>, isTrusted: (address: string) => boolean) {
    this.#limits = limits
    this.#lines = lines
    this.#isTrusted = isTrusted
    this.#connections = sharedQuota(limits.connections)
    this.#transfers = new TransferLimiter(limits, () => this.#isFull())
  }

  /** Null: the client may go on. */
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

  /** Counts an unknown recipient, and says what to answer. */
  refuse(id: string): SmtpReply {
    const client = this.#clients.get(id)
    if (client !== undefined) client.refused += 1
    return (client?.refused ?? 0) > this.#limits.refusals ? replies.tooManyRefusals : replies.unknownRecipient
  }

  /** A mail begins with its sender: it has no recipients yet. */
  beginEnvelope(id: string): void {
    this.#clients.get(id)?.tenants.clear()
  }

  /** Notes the tenant of a recipient. Null: its mail may come. */
  addRecipient(id: string, tenantId: string): SmtpReply | null {
    if (this.#transfers.isOverRate(tenantId)) return replies.recipientBusy
    this.#clients.get(id)?.tenants.add(tenantId)
    return null
  }

  /** The data of a mail begins; `abort` ends it at once. */
  begin(id: string, abort: () => void): Transfer {
    const client = this.#clients.get(id)
    const transfer = this.#transfers.begin(
      { network: client?.network ?? null, tenants: [...(client?.tenants ?? [])] },
      abort
    )
    if (client !== undefined) client.transfer = transfer
    return transfer
  }

  /** The mail is stored or lost. */
  end(id: string, transfer: Transfer): void {
    transfer.end()
    const client = this.#clients.get(id)
    if (client !== undefined) {
      client.transfer = null
      client.unproductive = 0
    }
    // The reply goes first.
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

  /** Called every second. */
  tick(): void {
    for (const { id, transfer } of this.#clients.values()) {
      if (transfer?.isTooSlow() === true) this.dismiss(id, replies.tooSlow)
    }
    for (const client of this.#clients.values()) client.unproductive += client.transfer === null ? 1 : 0
    this.#transfers.tick()
  }

  /** Closes idle connections, and the others when their mail has ended. */
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

  /** Closes the connection that has been without a mail for longest, first of the network that has most connections. */
  #makeRoom(): void {
    const sizeOf = (client: Client): number => this.#connections.used(this.#sharesOf(client)[0]?.owner ?? "")
    const [idle] = [...this.#clients.values()]
      .filter(({ transfer, unproductive }) => transfer === null && unproductive >= this.#limits.stressIdleSeconds)
      .toSorted((one, other) => sizeOf(other) - sizeOf(one) || other.unproductive - one.unproductive)
    if (idle !== undefined) this.dismiss(idle.id, replies.idle)
  }
}
