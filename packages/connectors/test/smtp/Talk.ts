import { connect, type Socket } from "node:net"

/** An SMTP dialogue controlled by the test. */
export interface Talk {
  readonly socket: Socket
  /** Sends a line and waits for the complete reply. */
  readonly say: (line: string | Buffer) => Promise<string>
  readonly answer: () => Promise<string>
}

/** Connects to a local port from an address of the loopback network. */
export const talkTo = async (port: number, localAddress = "127.0.0.1"): Promise<Talk> => {
  const socket = connect({ port, host: "127.0.0.1", localAddress })
  socket.on("error", () => undefined)
  let received = ""
  let wake = (): void => undefined
  socket.on("data", (chunk) => {
    received += String(chunk)
    wake()
  })
  socket.on("close", () => wake())
  const answer = async (): Promise<string> => {
    for (;;) {
      const found = /^(?:\d{3}-.*\r\n)*\d{3} .*\r\n/u.exec(received)?.[0]
      if (found !== undefined) {
        received = received.slice(found.length)
        return found.trim()
      }
      if (socket.destroyed) return "closed"
      await new Promise<void>((resolve) => void (wake = resolve))
    }
  }
  const say = (line: string | Buffer): Promise<string> => {
    socket.write(typeof line === "string" ? `${line}\r\n` : line)
    return answer()
  }
  return { socket, say, answer }
}
