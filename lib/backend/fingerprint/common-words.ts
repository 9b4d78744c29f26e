/** Short words that appear in program documentation and error messages. After `user_`, one of these is a word, not an id. */
export const COMMON_WORDS: ReadonlySet<string> = new Set(`
abc resume revoke refuse parcel bounce vendor sender signed resend expiry placed logged bigint uint column able abort about above absent
accept access acct across action active actual add added adding adds admin affect after again age agent aims ajv alias align alive all
allow allows almost alone along also alt always amount and any apache api apis app appear append apple apply apps are aren arg args around
array arrays ascii ask assert assets assign ast async attach audio auth author auto avoid await awake aware away aws babel back bad badge
badgen bank banned bar bare base based bash basic batch baz become been before begin behave behind being below bench best better beyond
big bin binary bind bit blob block blocks blog blue bodies body bold both bound box branch break broken buf buffer bug bugs build builds
built bump bun bundle busy but button byte bytes cache cached caches call called caller calls can canary cannot card care cart case cases
catch cause caused causes caveat cdn center chain change charge check checks child choose chrome chunk chunks cjs class clean clear cli
click client clone close closed closes cloud cmd code codes color colors com come comes comma commit common config const cookie copies
copy core cors cost costs could count counts course cover covers cpu crash create cross css ctx curl custom cut cwd cycle dark dash data
date david day days dead deal debit debug decide decode deep defer define delay delete demand demo denied deno deny depend deps depth
design detect dev did didn diff differ dir direct disk dist div doc docker docs does doesn doing dom domain don done dot dots double down
draft drift drive drop due during each early easier easily easy echo edge edit editor effect effort either else email emit emits empty
enable encode end ended ends engine enough ensure entire entry enum env epoch equal err error errors escape eslint esm etag etc eval even
event events ever every exact except exist exists exit expand expect export expose extend extra fact fail failed fails fake fall false far
fast faster feel fetch few field fields file files fill filter final find fine finish fire first fit fix fixed fixes flag flags flat flow
focus folder follow font foo for force fork form format forms found four free fresh from front frozen full fully fury future get gets gif
git github give given gives giving glob global gnu goal goes going gone good google got grant graph great green group groups grow guest
guide guides guild gzip had hand handle happen hard has hash have having head header height hello help helper helps here hex hidden hide
high higher highly hit hold holds home hood hook hooks host hour hours how href html http https huge human iana icon idea idle ids ietf
ignore image images img impact import inbox index info init inline input inputs inside into invoke isaacs isn iso isr issue issues item
items its itself join jpeg jpg jshttp json jsx just keep keeps kept key keys killed kind know known label land lang large larger last
latch late later latest layer layout lazy lead leak learn lease least leave leaves left legacy length less let lets letter level levels
lib life light like likely limit limits line lines link links lint linux list listed listen lists live ljharb load loaded loader loads
local locale lock locked log logger logic login logo logs long longer look looks lookup loop lost lot low lower lts made magic main major
make makes making manage manual many map mapped maps mark master match math max may mdx mean means meant media member memory merge merged
meta method might mime min mind minor miss missed mit mix mjs mock mode model modern modify module more most mount move moved msg much
multi must mutex name named names naming native nav near need needed needs nest nested net never new newer next nextjs nginx nice node
nodejs nodes non nonce none nor normal not note notes notice now npm npmjs npx null number obj object occur occurs octet off offers offs
often old older omit once one ones only onto open opened ops opt option opts order org origin other others our out outbox output over own
owner page pages paid pair pairs param params parent parse parsed parser parses part parts party pass passed passes past patch path paths
paused peer people per perf period phase phone pick pino pipe pkg place plain plan play please plugin plus png pnpm point points policy
pool port posix post posts pre prefer prefix pretty price print prior prop proper props proxy public pull pure push put query queue quick
quite quota race random range ranges rate rather raw reach react read readme reads ready real realm reason record red redis reduce ref
refer refund regex regexp reject relies rely remain remote remove rename render reply repo report repos req res reset rest result retry
return reuse reused review rfc right risk role root round route router routes rsc rule rules run runs safe safely safety same sample save
saved say says schema scheme scope scoped script sdk search sec second secure see seen sees select self semver send sends sent serve
served server serves set sets setup shape shard share shared shell shift short should show shown shows side sign signal simple simply
since single site size skip skips slash slave slice slow slower slug small socket some soon sort source space spaces span spawn spec speed
split square src stable stack stale star stars start starts stat state states static stats status stay stays stderr stdout step steps
still stock stop stops store stored stores str stream strict string strip stuck stuff style styles sub submit such suffix suite sup super
sure svg switch symbol sync syntax system tab table tag tagged tags take taken takes tap tape target task tasks taxes team tell tells term
test tested tests text than thanks that the their them theme then there these they thing things think third this those though thread three
throw thrown throws thus tick time times tiny title today todo token tokens too tool tools top tort total trace traces track trade travis
treat tree true try trying tsx turn two txt type typed typeof types typo unc under union unique unit unix unless unlike until unused
update upon uri url urls usage use used useful user users uses using utf util utils valid value values var vars vary vercel verify very
via vice video view visit vite vnd void voided wait waits walk want wanted warn was wasm watch way ways web well were what whatwg when
where which while who whole whom whose why wide width wiki will window wish with within won word words work worker works world worth would
wrap wraps write writes wrong xml yaml yarn year yes yet yml you your zero
`.trim().split(/\s/))
