import { createSocket } from "node:dgram"

/** Returns the addresses of a name per query type; null: the server sends no response. */
export type Zone = (name: string, type: "A" | "AAAA") => ReadonlyArray<string> | null

/** A scripted name server on this machine. */
export interface NameServer {
  /** `host:port`. */
  readonly place: string
  readonly close: () => void
}

const typeAAAA = 28

/** Reads name, type and end of the single question in a query (RFC 1035, section 4.1.2). */
const readQuestion = (query: Buffer): { readonly name: string; readonly type: number; readonly end: number } => {
  const labels: Array<string> = []
  let at = 12
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join("."), type: query.readUInt16BE(at + 1), end: at + 5 }
}

const addressOf = (text: string): Buffer => {
  if (!text.includes(":")) return Buffer.from(text.split(".").map(Number))
  // Test addresses contain at most one `::`.
  const [head = "", tail = ""] = text.split("::")
  const groups = (part: string) => part.split(":").filter((group) => group !== "")
  const missing = 8 - groups(head).length - groups(tail).length
  const all = [...groups(head), ...Array.from({ length: missing }, () => "0"), ...groups(tail)]
  return Buffer.from(all.map((group) => group.padStart(4, "0")).join(""), "hex")
}

const record = (type: number, address: string): Buffer => {
  const bytes = addressOf(address)
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(bytes.length, 10)
  return Buffer.concat([head, bytes])
}

/** Answers over UDP with a TTL of zero, so that every lookup sends a query. */
export const nameServer = async (zone: Zone): Promise<NameServer> => {
  const socket = createSocket("udp4")
  socket.on("message", (query, from) => {
    const { end, name, type } = readQuestion(query)
    const addresses = zone(name, type === typeAAAA ? "AAAA" : "A")
    if (addresses === null) return
    const answer = Buffer.from(query.subarray(0, end))
    answer.writeUInt16BE(0x8180, 2)
    answer.writeUInt16BE(addresses.length, 6)
    answer.writeUInt32BE(0, 8)
    socket.send(Buffer.concat([answer, ...addresses.map((each) => record(type, each))]), from.port, from.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve))
  return { place: `127.0.0.1:${socket.address().port}`, close: () => socket.close() }
}
