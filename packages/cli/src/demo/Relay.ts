import { createServer, type Server, type Socket } from "node:net"

/** The end of a mail, with the end of its last line (RFC 5321, section 4.1.1.4). */
const endOfMail = "\r\n.\r\n"

/** Answers one connection. The server of the demo is the only client, so each command gets the reply of success. */
const answer = (socket: Socket): void => {
  let received = ""
  let isMail = false
  /** Replies to the next complete command or mail. Returns false when more bytes are needed. */
  const step = (): boolean => {
    const end = isMail ? endOfMail : "\r\n"
    const at = received.indexOf(end)
    if (at < 0) {
      // The content of a mail is discarded as it arrives.
      if (isMail) received = received.slice(-endOfMail.length)
      return false
    }
    const command = isMail ? "" : received.slice(0, at).toUpperCase()
    received = received.slice(at + end.length)
    isMail = command === "DATA"
    if (command === "QUIT") socket.end("221 Bye\r\n")
    else socket.write(isMail ? "354 Go on\r\n" : "250 OK\r\n")
    return command !== "QUIT"
  }
  socket.setEncoding("latin1")
  // The server of the demo closed the connection. It sends the mail again.
  socket.on("error", () => socket.destroy())
  socket.on("data", (chunk: string) => {
    received += chunk
    while (step());
  })
  socket.write("220 Leadloom demo\r\n")
}

/**
 * Starts a mail relay that accepts every mail and delivers none, so that a person can answer the sample messages.
 * Returns its URL. The relay ends with the process.
 */
export const startDemoRelay = (): Promise<string> =>
  new Promise((resolve, reject) => {
    const relay: Server = createServer(answer)
    relay.once("error", reject)
    relay.listen(0, "127.0.0.1", () => {
      relay.unref()
      const address = relay.address()
      if (address === null || typeof address === "string") reject(new Error("The relay of the demo has no port."))
      else resolve(`smtp://127.0.0.1:${address.port}`)
    })
  })
