import type { SmtpLimits } from "./SmtpLimits.ts"
import { replies, type SmtpReply } from "./SmtpReply.ts"

/** What a mail server can do to a connection: `send` of a 421 closes it. */
export interface Line {
  readonly id: string
  readonly send: (code: number, text: string) => void
  readonly close: () => void
}

interface Guest {
  readonly address: string
  readonly timer: NodeJS.Timeout
  refused: number
  /** A mail of it is being received or stored. */
  isBusy: boolean
}

/** Who is connected, and how long and how much they may. */
export interface SmtpGuests {
  /** Null: welcome. */
  readonly enter: (id: string, address: string) => SmtpReply | null
  readonly leave: (id: string) => void
  /** Notes a recipient that nobody knows, and says what to answer. */
  readonly refuse: (id: string) => SmtpReply
  /** A mail begins. Returns what ends it. */
  readonly begin: (id: string) => () => void
  /** Closes a connection with an answer. */
  readonly dismiss: (id: string, reply: SmtpReply) => void
  /** Sends away whoever is not in the middle of a mail, and everybody else when their mail has ended. */
  readonly stop: () => void
}

/** Keeps the list of guests of a server whose connections are `lines`. */
export const smtpGuests = (limits: SmtpLimits, lines: () => Iterable<Line>): SmtpGuests => {
  const guests = new Map<string, Guest>()
  let stopping = false
  const dismiss = (id: string, { code, text }: SmtpReply): void => {
    const line = [...lines()].find((each) => each.id === id)
    line?.send(code, text)
    if (code !== 421) line?.close()
  }
  const dismissIdle = (): void => {
    for (const { id } of lines()) if (guests.get(id)?.isBusy !== true) dismiss(id, replies.stopping)
  }
  const after = (id: string, millis: number): NodeJS.Timeout =>
    setTimeout(() => dismiss(id, replies.tooSlow), millis).unref()
  return {
    dismiss,
    enter: (id, address) => {
      const there = [...guests.values()].filter((guest) => guest.address === address).length
      if (there >= limits.connectionsPerAddress) return replies.tooManyConnections
      guests.set(id, { address, timer: after(id, limits.connectionMillis), refused: 0, isBusy: false })
      return null
    },
    leave: (id) => {
      clearTimeout(guests.get(id)?.timer)
      guests.delete(id)
    },
    refuse: (id) => {
      const guest = guests.get(id)
      if (guest !== undefined) guest.refused += 1
      return (guest?.refused ?? 0) > limits.refusals ? replies.tooManyRefusals : replies.unknownRecipient
    },
    begin: (id) => {
      const guest = guests.get(id)
      if (guest !== undefined) guest.isBusy = true
      return () => {
        if (guest !== undefined) guest.isBusy = false
        // The answer goes first.
        if (stopping) setImmediate(dismissIdle)
      }
    },
    stop: () => {
      stopping = true
      dismissIdle()
    }
  }
}
