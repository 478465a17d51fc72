/** The words by which talk is told apart. English; what they do not know counts as a claim rather than as none. */

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/u));

/** Where a sentence does not end, though a full stop stands there. In lower case, without the last stop. */
export const abbreviations = words(`
e.g i.e eg ie etc vs cf approx resp incl excl fig eq sec vol ca al dr mr mrs ms prof st jr sr inc ltd co dept est min max
jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun a.k.a p.s p.m a.m u.s u.k nr pp ed eds ch`);

/** Begin a question. */
export const interrogatives = words(`
who whom whose what which when where why how is are was were do does did has have had can could will would should shall may
might must isn't aren't wasn't weren't don't doesn't didn't hasn't haven't hadn't can't couldn't won't wouldn't shouldn't am`);

export const auxiliaries = words(`
is are was were be been being am has have had having do does did can cannot can't will won't shall would wouldn't should
shouldn't could couldn't may might must mustn't isn't aren't wasn't weren't hasn't haven't hadn't don't doesn't didn't ain't
it's that's there's he's she's they're we're you're i'm i've we've they've you've what's who's here's let's`);

/** Leave open whether it is so. `can`, `cannot` and `will` do not. */
export const softModals = words(`should shouldn't ought could couldn't might may would wouldn't shall`);

/** Of a person who speaks for the round: with these a thing is wanted, not told. */
export const wishes = words(`
should shouldn't ought could couldn't might may would wouldn't shall will won't can must need needn't want hope wish prefer
propose suggest recommend plan intend agree disagree differ favour favor vote disagree'd ll d better let expect aim owe seem
care like love hate fear doubt wonder dare trust support oppose object second move go'll`);

/** What follows upon "I" and these is said of the world all the same. */
export const hedges =
  words(`think believe guess suspect assume suppose reckon know understand see hear remember recall say
note notice gather feel find expect take bet maintain claim agree admit concede confirm insist argue mean stress repeat add`);

/** What follows upon "I" and these is asked or wanted. */
export const wants = words(`wonder doubt ask hope wish want prefer propose suggest recommend move vote plan intend`);

/** Things that "my" or "the … is" may announce: what follows is judged by itself. */
export const announced = words(`
concern worry fear point problem issue trouble fact truth thing risk catch reason reading understanding impression
hunch guess bet experience observation observation argument objection result consequence upshot bottom downside upside
advantage drawback snag answer news assumption premise finding`);

/** The same, where what follows is wanted. */
export const announcedWishes = words(`
proposal plan preference suggestion recommendation question hope wish position view vote goal aim idea request ask remark
advice favourite favorite option alternative step way approach choice opinion reservation feeling take stance answer intention instinct criterion test reply`);

/** Of value, not of fact, where they are said of something. */
export const judgements = words(`
wrong right better best good bad worse worst clean cleaner cleanest elegant ugly uglier nice nicer confusing acceptable
unacceptable premature misleading overkill reasonable unreasonable clever terrible awful horrible great excellent perfect
wonderful honest clumsy fair unfair hard harder easy easier easiest simple simpler simplest important worthwhile worth
worthy backwards urgent wise unwise sensible silly foolish crazy odd strange weird trade-off compromise sound reckless
risky riskier safer preferable desirable undesirable tempting appealing attractive boring exciting interesting beautiful
lovely pointless useless useful helpful unhelpful valuable welcome necessary unnecessary essential crucial vital key critical
appropriate inappropriate suitable adequate inadequate decent mediocre poor superb brilliant smart dumb stupid naive
ambitious modest bold timid careless thoughtful fine ok okay convincing persuasive unconvincing plausible implausible
likely unlikely understandable unfortunate fortunate regrettable sad happy glad content comfortable uncomfortable uneasy worried
nervous confident sceptical skeptical doubtful torn open neutral overdone excessive extreme harsh generous vague clear
clearer unclear obvious natural unnatural awkward ungainly heavy-handed heavyweight lightweight lean bloated trivial
enough nonsense gut-wrenching favourite favorite defensible indefensible debatable arguable matter taste judgement judgment
priority distraction luxury nuisance mistake pity shame win loss gamble bet stretch fit opportunity detour gimmick candidate
willing keen eager curious inclined tempted sorry ready safest cleaner riskiest cheapest non-starter plenty crux essence heart detail blocker deal-breaker showstopper beginning start line hope bonus minus must trap slope exercise debate discussion conversation topic subject decision choice question argument concern worry price answer lesson principle rule-of-thumb tension burden cornerstone deciding half-baked half-hearted invisible habit guess promising expensive disappointing frustrating
annoying refreshing daunting overwhelming intimidating mature immature solid weak strong shaky murky muddy noisy busy
cluttered crowded tidy neat messy chaotic fragile brittle`);

/** Of those the ones that judge only where the talk itself is meant: "this is wrong", not "the date is wrong". */
export const judgementsOfTalk = words(`
wrong right clear enough fine ok okay necessary unnecessary obvious neutral open matter priority candidate critical natural
lean key vital likely unlikely detail blocker deal-breaker showstopper beginning start line exercise decision choice question
argument answer price topic subject principle must worry concern precondition prerequisite minus plus`);

/** Verbs that judge. */
export const judgingVerbs = words(`
matter matters mattered beat beats outweigh outweighs deserve deserves feel feels sound sounds strike strikes appeal appeals
seem seems suit suits belong belongs convince convinces persuade persuades bother bothers please pleases worry worries
excite excites annoy annoys`);

/** Begin a request or a proposal, as the first word. */
export const imperatives = words(`
keep add write use make start begin move drop remove split name do don't let consider please measure test ask put give take
show try avoid prefer extend offer define document picture imagine suppose say think look leave ship cut merge rename replace
reduce limit stop go come call check compare choose pick decide define delay describe design draw explain find fix focus follow
forget get have hide hold invite involve invest list log mark mind narrow note open pause plan prove publish push read record
reject remember remind report require resist restrict review run save separate set simplify skip solve state stick switch talk
tell treat trim turn wait watch work pin prototype interview sketch postpone park raise return settle revisit bring build
buy change collect cover create delete deliver discuss enable disable ensure err expose freeze gather give grant guard hand help
ignore include introduce iterate join learn link lower make migrate mention count aim
agree answer accept allow apply assign assume be better trust thank thanks forgive bear`);

/** What begins them is asserted of nothing: the clause that they belong to is. */
export const conditions = words(
  'whatever whichever whoever if unless until till whether when whenever once before after while where wherever provided assuming',
);

/** Behind these the main clause is over. */
export const subordinators = words(`
if unless until till whether when whenever once before after while where wherever because since although though whereas that
which who whom whose what how why than whoever whatever whichever`);

/** Not the place for a verb: a word behind these is a noun. */
export const beforeNouns = words(`
the a an this that these those my your his her its our their no every each any some one two three four five six seven eight
nine ten of in on at by for with from to into onto about over under between against without within through per as first
second third last next same other another both few fewer many more most less least new old whole single such what which and
or small large big good bad clear own quick slow main only real true full empty short long`);

export const numberWords = words(`
one two three four five six seven eight nine ten eleven twelve thirteen fifteen twenty thirty forty fifty sixty seventy eighty
ninety hundred hundreds thousand thousands million millions billion half third quarter dozen dozens twice once double
percent`);

export const units = words(`
ms s sec second seconds minute minutes hour hours day days week weeks month months year years kb mb gb tb kib mib gib byte
bytes user users people tenants rows row lines files tests tickets stories customers requests sessions % percent euro euros eur
usd dollars cents px points times x calls turns tokens steps tables entries records services copies layers versions`);

/** Nouns of the talk itself. */
export const talkNouns = words(`
objection objections doubt doubts opinion opinions idea ideas need question questions preference thing things remark remarks
thought thoughts point points word words side step steps note notes reason comment comments thanks view position proposal
agreement disagreement concern concerns suggestion suggestions answer contest strong`);

const stems = `
accept access act add admit affect agree aim allow allocate announce answer append apply approve arrive ask assert assign
attach authenticate authorize backfill batch begin behave believe bill bind block boot branch break bring buffer build bump
bundle burn buy bypass cache calculate call cancel cap capture carry catch cause change charge check choose claim clean clear
click clone close collect collide combine come commit compile complain complete compute concern configure confirm connect
consume contain continue control convert copy cost count cover crash create cross cut deadlock decide declare decode default
defer define delay delete deliver demand deny depend deploy deprecate describe detect differ disable disagree disappear
discard distribute document double download drop duplicate edit emit enable encode encrypt end enforce enter escape evict
exceed execute exist exit expand expect expire explain export expose exercise extend extract fail fall fetch fill filter find finish
fire fit fix flush fold follow forbid force forget fork format free freeze generate get give go govern grant grow guard
guarantee handle hang happen hash have help hide hit hold hook ignore implement import improve include increase index inherit
initialize inject insert inspect install invalidate invoke isolate iterate join jump keep kill know lack land last launch lead
leak leave let level license lie limit link list listen live load lock log look lose maintain make manage map mark mask match
mean measure mention merge migrate miss mix mock monitor mount move mutate name need negotiate nest notice notify obey occur
offer omit open operate order outlive overflow overlap override overwrite own paint panic parse pass patch pause pay peak
persist pick pin place plan point poll post postpone prefer prepare prevent print process produce promise propagate protect
prove provide publish pull purge push put queue quote race raise range rank reach react read rebuild receive reclaim
recommend reconnect record recover recreate recycle reduce refer reference reflect refresh refuse register reject release
reload rely remain remember remove rename render repeat replace replay reply report represent request require reset resize
resolve respond rest restart restore restrict retain retire retry return reuse reveal revert review revoke rewrite ring roll
rotate round route rule run sandbox satisfy save say scale scan schedule scroll search see seem select sell send separate
serialize serve set share ship shift show shrink shut sign sit skip sleep slow snapshot sort spawn speak specify spend split
spread stall stand start state stay steal stem step stop store stream strip submit subscribe succeed sum supply support
suppose suspend swallow switch sync take talk tell terminate test think throttle throw tie time toggle touch track train
translate travel treat trigger trim truncate trust try turn type understand undo update upgrade upload urge use validate vary
verify view violate visit wait wake walk want warn waste watch weigh win work wrap write yield empty choke lag mirror dwarf hog starve poison taint spoof forge linger accumulate degrade regress worsen swell spike dip correlate conflict contradict breach tamper intercept circumvent sidestep tolerate forgive surface wrap unwrap pad align hover tap swipe paste drag bind aggregate vanish survive
spare pin reorder escalate clash churn convert triple halve exclude cite`;
export const verbStems = words(stems);

export const irregularPasts = words(`
became began broke brought built bought caught chose came cut dealt did drew drove ate fell felt fought found forgot froze got
gave went grew hung had heard hid hit held kept knew laid led left lent let lost made meant met paid put ran rang read rose
said saw sold sent set shook shot showed shrank shut sat slept spoke spent split spread stood stole struck stuck swore took
taught told thought threw understood woke wore won wrote gone done taken written given known shown broken chosen frozen hidden
stolen thrown worn driven fallen forgotten grown drawn seen been built`);

/** Before the statement itself: they change nothing about what it is. */
export const openers = words(`
yes no well ok okay honestly also second first third finally however but and so then still besides moreover furthermore
personally frankly actually basically clearly obviously of course sure indeed right likewise similarly overall again now
therefore thus hence lastly secondly thirdly next plus sadly luckily fortunately unfortunately surprisingly interestingly
agreed true exactly`);
