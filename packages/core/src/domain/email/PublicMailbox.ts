import { getDomainWithoutSuffix } from "tldts"
import { registrableDomain } from "./Mailbox.ts"

/** Brands of public mail hosts that use many suffixes: `yahoo.co.uk`, `gmx.at`. */
const brands = new Set(
  (
    "gmail googlemail outlook hotmail yahoo ymail rocketmail icloud aol gmx protonmail tutanota tutamail yandex " +
    "zohomail fastmail hushmail posteo disroot mailfence runbox"
  ).split(" ")
)

/** Names of public mail hosts that are also ordinary words, or that belong to other companies under other suffixes. */
const words = new Set("live msn passport aim proton pm tuta zoho mailbox inbox".split(" "))

/** Public mail hosts that are recognised only by the whole domain. */
const domains = new Set(
  (
    "me.com mac.com web.de freenet.de t-online.de arcor.de mail.de email.de mail.com email.com usa.com hey.com duck.com " +
    "mail.ru bk.ru list.ru rambler.ru ukr.net qq.com foxmail.com 163.com 126.com yeah.net sina.com sohu.com naver.com " +
    "daum.net hanmail.net orange.fr wanadoo.fr free.fr laposte.net sfr.fr libero.it virgilio.it tiscali.it alice.it " +
    "tin.it wp.pl o2.pl onet.pl interia.pl seznam.cz centrum.cz bluewin.ch ziggo.nl kpnmail.nl telenet.be skynet.be " +
    "comcast.net verizon.net att.net sbcglobal.net bellsouth.net cox.net charter.net earthlink.net juno.com " +
    "btinternet.com sky.com virginmedia.com talktalk.net ntlworld.com shaw.ca rogers.com sympatico.ca telus.net " +
    "live.com live.co.uk live.ca live.de live.fr live.it live.nl live.be live.se live.dk live.no live.at live.ie " +
    "live.com.au live.com.mx live.com.pt live.jp live.cn live.in msn.com passport.com aim.com proton.me pm.me tuta.com " +
    "tuta.io zoho.com zoho.eu zoho.in mailbox.org inbox.lv inbox.ru inbox.lt inbox.com " +
    "bigpond.com optusnet.com.au xtra.co.nz rediffmail.com uol.com.br bol.com.br terra.com.br mailinator.com"
  ).split(" ")
)

/** Returns whether a domain is a known public mail host. A tenant cannot own such a domain. */
export const isPublicMailDomain = (domain: string): boolean =>
  domains.has(registrableDomain(domain)) || brands.has(getDomainWithoutSuffix(domain) ?? "")

/**
 * Returns whether a domain may be a public mail host, on which unrelated people have addresses. The list is incomplete
 * and contains ordinary words. Use the result to make a rule more careful, never as the only protection.
 */
export const isPublicMailbox = (domain: string): boolean =>
  isPublicMailDomain(domain) || words.has(getDomainWithoutSuffix(domain) ?? "")
