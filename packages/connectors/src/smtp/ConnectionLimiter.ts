import type { DataPlace } from "./ReceivedData.ts"
import { type Share, sharedQuota } from "./SharedQuota.ts"
import type { SmtpLimits } from "./SmtpLimits.ts"
import { clientNetwork } from "./SmtpNetwork.ts"
import { replies, type SmtpReply } from "./SmtpReply.ts"

/** What a mail server can do to a connection: `send` of a 421 closes it. */
export interface Line {
  readonly id: string
  readonly send: (code: number, text: string) => void
  readonly close: () => void
}

/** The data of one mail, from DATA until it is stored or lost. */
interface Transfer {
  /** Ends the transfer at once. */
  readonly abort: () => void
  /** Bytes of the current window, and the seconds of it in which the client was waited for. */
  bytes: number
  seconds: number
  waitsForClient: boolean
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

/** A mail that arrives. `end` frees its place. */
export interface Arriving extends DataPlace {
  readonly end: () => void
}

/** Limits connections, bytes in flight and rates of clients, so that no network and no tenant uses up what others need. */
export interface ConnectionLimiter {
  /** Null: the client may go on. */
  readonly enter: (id: string, address: string) => SmtpReply | null
  readonly leave: (id: string) => void
  /** Counts an unknown recipient, and says what to answer. */
  readonly refuse: (id: string) => SmtpReply
  /** A mail begins with its sender: it has no recipients yet. */
  readonly beginEnvelope: (id: string) => void
  /** Notes the tenant of a recipient. Null: its mail may come. */
  readonly address: (id: string, tenantId: string) => SmtpReply | null
  /** The data of a mail begins; `abort` ends it at once. */
  readonly begin: (id: string, abort: () => void) => Arriving
  /** Closes a connection with a reply. */
  readonly dismiss: (id: string, reply: SmtpReply) => void
  /** Called every second. */
  readonly tick: () => void
  /** Closes idle connections, and the others when their mail has ended. */
  readonly stop: () => void
}

/** Over what the rate of mails to a tenant is counted. Seconds. */
const rateSeconds = 60

/** Limits the clients of a server whose connections are `lines`. */
export const connectionLimiter = (
  limits: SmtpLimits,
  lines: () => Iterable<Line>,
  isTrusted: (address: string) => boolean
): ConnectionLimiter => {
  const clients = new Map<string, Client>()
  const connections = sharedQuota(limits.connections)
  const bytes = sharedQuota(limits.spoolBytes)
  const mails = sharedQuota(limits.connections)
  /** Mails of the current minute, by tenant. */
  const recent = new Map<string, number>()
  let recentSeconds = 0
  let stopping = false

  const ofNetwork = ({ network }: Pick<Client, "network">, limit: number): ReadonlyArray<Share> =>
    network === null ? [] : [{ owner: `network ${network}`, limit }]
  const ofTenants = (tenants: Iterable<string>, limit: number): ReadonlyArray<Share> =>
    [...tenants].map((tenantId) => ({ owner: `tenant ${tenantId}`, limit }))
  const ofConnections = (client: Pick<Client, "network">) => ofNetwork(client, limits.connectionsPerNetwork)

  const leave = (id: string): void => {
    const client = clients.get(id)
    if (client === undefined) return
    clearTimeout(client.timer)
    clients.delete(id)
    connections.give(ofConnections(client), 1)
  }
  const dismiss = (id: string, { code, text }: SmtpReply): void => {
    const line = [...lines()].find((each) => each.id === id)
    line?.send(code, text)
    if (code !== 421) line?.close()
    const transfer = clients.get(id)?.transfer
    leave(id)
    transfer?.abort()
  }
  const dismissIdle = (): void => {
    for (const { id } of [...lines()]) if ((clients.get(id)?.transfer ?? null) === null) dismiss(id, replies.stopping)
  }
  /** Closes the connection that has been without a mail for longest, first of the network that has most connections. */
  const makeRoom = (): void => {
    const sizeOf = (client: Client): number => connections.used(ofConnections(client)[0]?.owner ?? "")
    const [idle] = [...clients.values()]
      .filter(({ transfer, unproductive }) => transfer === null && unproductive >= limits.stressIdleSeconds)
      .toSorted((one, other) => sizeOf(other) - sizeOf(one) || other.unproductive - one.unproductive)
    if (idle !== undefined) dismiss(idle.id, replies.idle)
  }
  const watch = (id: string, transfer: Transfer): void => {
    if (!transfer.waitsForClient) return
    transfer.seconds += 1
    if (transfer.seconds < limits.dataRateSeconds) return
    const isStressed = bytes.used() > limits.spoolBytes / 2 || connections.used() >= limits.connections
    const rate = isStressed ? Math.max(limits.stressMinDataRate, limits.minDataRate) : limits.minDataRate
    const isSlow = transfer.bytes < rate * limits.dataRateSeconds
    transfer.bytes = 0
    transfer.seconds = 0
    if (isSlow) dismiss(id, replies.tooSlow)
  }

  return {
    dismiss,
    leave,
    enter: (id, address) => {
      const network = isTrusted(address) ? null : clientNetwork(address)
      const shares = ofConnections({ network })
      if (shares.some(({ limit, owner }) => connections.used(owner) >= limit)) return replies.tooManyConnections
      if (connections.used() >= limits.connections) makeRoom()
      if (!connections.take(shares, 1)) return replies.full
      const timer = setTimeout(() => dismiss(id, replies.tooSlow), limits.connectionMillis).unref()
      clients.set(id, { id, network, timer, refused: 0, tenants: new Set(), transfer: null, unproductive: 0 })
      return null
    },
    refuse: (id) => {
      const client = clients.get(id)
      if (client !== undefined) client.refused += 1
      return (client?.refused ?? 0) > limits.refusals ? replies.tooManyRefusals : replies.unknownRecipient
    },
    beginEnvelope: (id) => clients.get(id)?.tenants.clear(),
    address: (id, tenantId) => {
      if ((recent.get(tenantId) ?? 0) >= limits.mailsPerMinutePerTenant) return replies.recipientBusy
      clients.get(id)?.tenants.add(tenantId)
      return null
    },
    begin: (id, abort) => {
      const client = clients.get(id)
      const tenants = [...(client?.tenants ?? [])]
      const inFlight = ofTenants(tenants, limits.mailsPerTenant)
      const isAdmitted = mails.take(inFlight, 1)
      for (const tenantId of tenants) recent.set(tenantId, (recent.get(tenantId) ?? 0) + 1)
      const shares = [
        ...ofNetwork({ network: client?.network ?? null }, limits.spoolBytesPerNetwork),
        ...ofTenants(tenants, limits.spoolBytesPerTenant)
      ]
      const transfer: Transfer = { abort, bytes: 0, seconds: 0, waitsForClient: false }
      if (client !== undefined) client.transfer = transfer
      let taken = 0
      return {
        refusal: isAdmitted ? null : replies.recipientBusy,
        take: (amount) => {
          if (!bytes.take(shares, amount)) return false
          taken += amount
          return true
        },
        note: (amount, waitsForClient) => {
          transfer.bytes += amount
          transfer.waitsForClient = waitsForClient
        },
        end: () => {
          if (client !== undefined) {
            client.transfer = null
            client.unproductive = 0
          }
          if (isAdmitted) mails.give(inFlight, 1)
          bytes.give(shares, taken)
          // The reply goes first.
          if (stopping) setImmediate(dismissIdle)
        }
      }
    },
    tick: () => {
      for (const client of [...clients.values()]) {
        if (client.transfer === null) client.unproductive += 1
        else watch(client.id, client.transfer)
      }
      recentSeconds = (recentSeconds + 1) % rateSeconds
      if (recentSeconds === 0) recent.clear()
    },
    stop: () => {
      stopping = true
      dismissIdle()
    }
  }
}
