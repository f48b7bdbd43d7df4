import type { WordList } from "./Lexicon.ts"

/** English phrases. */
export const english: WordList = {
  unsubscribe:
    "unsubscrib*, opt out, opting out, remove me, take me off, take my .. off, stop emailing, stop texting, stop messaging, stop contacting, stop calling me, stop sending, do not contact, dont contact, do not call, dont call, do not text, dont text, do not email, dont email, do not write, no more emails, no more messages, no more texts, leave me alone, delete me from, off your list, off your mailing list, off this list",
  cancellation:
    "cancel*, terminat* my, terminat* the, terminat* our, terminate, end my contract, end our contract, close my account, stop my subscription, call off my, call off the",
  complaint:
    "complaint, complaints, complain, complaining, refund*, money back, unacceptable, disappointed, disappointing, disgusted, never again, ripped off, rip off, legal action, still waiting, still no answer, still no reply, waiting for weeks, waiting for months, rude, unprofessional, incompetent, outrageous, appalling, ignored, nobody returns, nobody calls back, nobody showed up, no one showed up, nobody came, no one came, never showed up, unhappy, not happy, terrible service, terrible experience, terrible job, terrible work, awful service, awful experience, awful job, horrible service, horrible experience, worst service, worst experience, worst company, worst .. ever, lied to me, lied about, scam, botched, shoddy, made a mess, left a mess, get my lawyer, my lawyer will, speak to a manager, dissatisfied, fed up",
  pricing:
    "price, prices, priced, pricing, pricelist, cost, costs, costing, how much, quote, quotes, quotation*, quoting, estimate, estimates, rates, your rate, hourly rate, fee, fees, budget, discount*, price list, free estimate, do you charge, would you charge, you charge, ballpark, monthly payment*, asking price",
  booking:
    "appointment*, book, booking*, book in, schedul*, reschedul*, reserve, reservation*, availability, available, time slot, slot, slots, come by, come out, come over, stop by, visit, visits, site visit, viewing*, consultation*, demo, meeting, set up a call, call me, call me back, callback, come and have a look, come and look, come and see, have a look at, test drive*, see the house, see the flat, see the apartment, arrange a, could we see, can we see, could i see, can i see, another day, check up, checkup, move my, bring .. in",
  purchase:
    "buy, buying, purchas*, order, ordering, sign up, get started, ready to start, ready to go, move forward, go ahead, hire, interested, interested in, looking for, need a, need an, want to buy, would like to order, subscribe, upgrade, in the market, looking to buy, house hunting",
  support:
    "help, support, issue, issues, problem, problems, broken, not working, doesnt work, does not work, didnt work, wont work, isnt working, stopped working, error, bug, fault, faulty, cannot log in, cant log in, reset my password, warranty, repair my, track my order, where is my order, invoice, rattling, injured, fired me, was fired, got fired, stolen, accident, damage, damaged, pain, hurts, stuck, passed away, bounced",
  information:
    "information, more info, details, brochure, catalogue, catalog, tell me more, learn more, opening hours, open on, do you offer, do you have, can you, is it possible, wondering, question about, do you accept, are you accepting, are you taking, do you take, are you in network, is it safe, is the .. still, still available, still for sale, in stock, could you send me, please send me, please forward, what is it worth, thinking about selling, thinking of selling, sell my, selling my, sell our, selling our, any news, has anything, valuation, recall notice, recall letter, recalled, to rent, for rent",
  spam: "seo, backlinks, backlink, guest post, link building, first page of google, rank higher, rank your, ranking on google, web traffic, increase your traffic, crypto, bitcoin, forex, casino, lottery, viagra, cialis, million dollars, wire transfer, business loan, merchant cash advance, work from home, email list, leads database, outsource your, act now, limited time offer, page one of google, website higher, quality backlinks",
  emergency:
    "emergency, flooded, flooding, no heat, no heating, without heating, without heat, without any heating, without any heat, without power, without hot water, no hot water, no power, burst, smell gas, smell of gas, gas leak, sewage, sparks, burning smell, water everywhere, water coming through, water is coming, water pouring, water is pouring, water dripping, under water, leak, leaks, leaking, roof leak*, roof is leaking, ceiling .. leak*, pipe leak*, tap is leaking, leaking badly, leaking everywhere, is leaking, severe pain, terrible pain, terrible .. pain, awful pain, unbearable, excruciating, in agony, lot of pain, so much pain, tooth .. killing me, terrible toothache, bad toothache, awful toothache, toothache, cracked tooth, broken tooth, tooth pain, swollen, swelling, knocked out, knocked .. out, bleeding, wont stop bleeding, abscess, trouble breathing, cannot swallow, cant swallow, arrested, in custody, detained, police station, court papers, served with, broke down, broken down, wont start, will not start, stranded, tow truck, towed, smoke from, caught fire, on fire, break in tonight",
  urgent:
    "urgent, urgently, asap, as soon as possible, immediately, right away, right now, today, tonight, this morning, this afternoon, this evening, first thing tomorrow, by tomorrow, come tomorrow, need .. tomorrow, tomorrow please, tomorrow if possible, by friday, this week, deadline, straight away, within the hour, cannot wait, cant wait",
  unhurried:
    "no rush, no hurry, not urgent, whenever you, when you get a chance, when you have time, sometime, next year, next month, some day, someday, just browsing, just looking, eventually, no emergency, not an emergency, take your time, at your leisure, in no rush, in no hurry",
  positive:
    "thanks, thank you, great, perfect, awesome, excellent, love, wonderful, amazing, happy, pleased, appreciate, fantastic, recommend, excited, looking forward, good job, well done",
  negative:
    "angry, upset, annoyed, frustrat*, disappoint*, terrible, awful, horrible, worst, bad, poor, unhappy, unacceptable, ridiculous, rude, hate, useless, waste, scam, complaint, complain, never again, ripped off, still waiting, disgusted, appalling, lied, refund, fed up, filthy, unprofessional, outrageous, dissatisfied",
  negation:
    "not, never, no, isnt, wasnt, arent, werent, dont, doesnt, didnt, wont, wouldnt, havent, hasnt, hadnt, hardly, without, nobody, none, neither, nor, rather than, instead of",
  noNegation:
    "dont know, do not know, didnt know, not know, not sure, dont understand, do not understand, not only, not just, why not, why dont, no longer, no one, dont you, didnt you, wont you, havent you, dont mind, no problem, cannot, not working, does not work, doesnt work, no answer, no idea, wont start, without a will, not be able, not to make, dont have, do not have",
  resolved:
    "is gone, are gone, has gone, went away, gone away, all dry, is fixed, was fixed, got fixed, is resolved, solved, no more pain, never came back, much better, healed, all good now, working again, works again, never broken down, never broke down"
}
