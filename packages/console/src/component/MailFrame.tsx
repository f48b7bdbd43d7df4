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
const cleaned = (html: string, parser: DOMParser, images: ImageLinks): ReadonlyArray<Node> => {
  const parsed = parser.parseFromString(html, "text/html")
  for (const element of parsed.querySelectorAll(removed)) element.remove()
  for (const element of parsed.querySelectorAll("*")) {
    for (const name of element.getAttributeNames()) {
      if (/^on/iu.test(name) || removedAttributes.has(name)) element.removeAttribute(name)
    }
  }
  for (const link of parsed.querySelectorAll("a,area")) secureLink(link)
  for (const image of parsed.querySelectorAll("img[data-remote-src]")) {
    const link = images.get(image.getAttribute("data-remote-src") ?? "")
    if (link !== undefined) image.setAttribute("src", link)
  }
  return [...parsed.head.querySelectorAll("style"), ...parsed.body.childNodes]
}

/** The links to the image proxy of this server, by the addresses of the remote images. */
export type ImageLinks = ReadonlyMap<string, string>

/** Returns the number of remote images that the server removed from a mail. */
export const blockedImages = (html: string): number => html.split("data-remote-src=").length - 1

interface MailFrameProps {
  readonly html: string
  readonly title: string
  /** The remote images to show; empty: none. */
  readonly images: ImageLinks
}

/**
 * Shows a mail in a frame with its own content security policy. The frame has no `allow-scripts`, because together with
 * `allow-same-origin` it would end the sandbox. `allow-same-origin` lets this page write the mail into the frame.
 */
export const MailFrame = ({ html, images, title }: MailFrameProps) => {
  const frame = useRef<HTMLIFrameElement>(null)
  const [height, setHeight] = useState(80)
  // The address of the shown document, and how often a document was loaded.
  const [loaded, setLoaded] = useState({ address: "", times: 0 })
  const address = images.size === 0 ? "/mail-frame/blocked" : "/mail-frame/images"
  useEffect(() => {
    const view = frame.current?.contentWindow ?? null
    if (loaded.address !== address || view === null) return
    const inside = view.document
    // The parser of the frame, because a document has the policy of the page whose parser created it.
    inside.body.replaceChildren(...cleaned(html, new (view as Window & typeof globalThis).DOMParser(), images))
    const observer = new ResizeObserver(() => setHeight(Math.min(maxHeight, inside.documentElement.scrollHeight)))
    observer.observe(inside.body)
    return () => observer.disconnect()
  }, [html, images, loaded, address])
  return (
    <iframe
      ref={frame}
      className={styles.frame}
      title={title}
      height={height}
      loading="lazy"
      src={address}
      sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
      referrerPolicy="no-referrer"
      onLoad={() => setLoaded(({ times }) => ({ address, times: times + 1 }))}
    />
  )
}
