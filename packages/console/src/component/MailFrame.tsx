import { useEffect, useRef, useState } from "react"
import { conversationText } from "../text/Conversation.ts"
import styles from "./MailFrame.module.css"

/** A longer mail scrolls inside its frame. In pixels. */
const maxHeight = 20_000
const removed = "script,link,meta,base,iframe,frame,object,embed,applet,form,template,noscript"
const removedAttributes = new Set(["srcdoc", "formaction", "ping", "autofocus", "action"])
const safeLink = /^\s*(?:https?:|mailto:|tel:)/iu

const hostOf = (address: string): string | null => {
  const candidate = /^[\w.-]+\.[a-z]{2,}(?:[/:?#]|$)/iu.test(address) ? `https://${address}` : address
  return URL.canParse(candidate) ? new URL(candidate).host || null : null
}

/** Opens links in a new tab, and shows the real host of a link whose text names another one. */
const secureLink = (link: Element): void => {
  const href = link.getAttribute("href") ?? ""
  if (!safeLink.test(href)) link.removeAttribute("href")
  link.setAttribute("target", "_blank")
  link.setAttribute("rel", "noopener noreferrer nofollow")
  const [named, real] = [hostOf(link.textContent.trim()), hostOf(href.trim())]
  if (named !== null && real !== null && named !== real) link.append(` (${conversationText.opensHost(real)})`)
}

/**
 * Removes the elements and attributes that act without scripts. The server has already sanitised the mail, and the
 * policy of the frame blocks requests, so this is the third barrier.
 */
const cleaned = (html: string, parser: DOMParser): ReadonlyArray<Node> => {
  const parsed = parser.parseFromString(html, "text/html")
  for (const element of parsed.querySelectorAll(removed)) element.remove()
  for (const element of parsed.querySelectorAll("*")) {
    for (const name of element.getAttributeNames()) {
      if (/^on/iu.test(name) || removedAttributes.has(name)) element.removeAttribute(name)
    }
  }
  for (const link of parsed.querySelectorAll("a,area")) secureLink(link)
  return [...parsed.head.querySelectorAll("style"), ...parsed.body.childNodes]
}

/** Returns the number of remote images that the server removed from a mail. */
export const blockedImages = (html: string): number => html.split("data-remote-src=").length - 1

interface MailFrameProps {
  readonly html: string
  readonly title: string
}

/**
 * Shows a mail in a frame with its own content security policy. The frame has no `allow-scripts`, because together with
 * `allow-same-origin` it would end the sandbox. `allow-same-origin` lets this page write the mail into the frame.
 */
export const MailFrame = ({ html, title }: MailFrameProps) => {
  const frame = useRef<HTMLIFrameElement>(null)
  const [height, setHeight] = useState(80)
  const [loads, setLoads] = useState(0)
  useEffect(() => {
    const view = frame.current?.contentWindow ?? null
    if (loads === 0 || view === null) return
    const inside = view.document
    // The parser of the frame, because a document has the policy of the page whose parser created it.
    inside.body.replaceChildren(...cleaned(html, new (view as Window & typeof globalThis).DOMParser()))
    const observer = new ResizeObserver(() => setHeight(Math.min(maxHeight, inside.documentElement.scrollHeight)))
    observer.observe(inside.body)
    return () => observer.disconnect()
  }, [html, loads])
  return (
    <iframe
      ref={frame}
      className={styles.frame}
      title={title}
      height={height}
      loading="lazy"
      src="/mail-frame/blocked"
      sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
      referrerPolicy="no-referrer"
      onLoad={() => setLoads((times) => times + 1)}
    />
  )
}
