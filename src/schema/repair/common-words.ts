/** Real words that differ by one letter from words that fields and values are often called. A slip that is a real word is no slip. */
const WORDS = `
abort about above accept access account accounts action active actual adapt adaption address admit adopt adoption advance advice advise
affect agent alert align alike alive allow alone alter angle angel annual appeal apple apply aside asset audio audit author await aware
back balance ball band bank bare base basic batch beach bead bean bear beat been beer bell belt bend best beta bill bind bird bite black
blank blend block blog blue board body bold bolt bond bone book boot border bored born both bound bowl brake branch brand bread break
breath breathe bridge brief bright bring broad broke brown build built bulk bull bust busy butter button buyer cable cache call calm came
camp canal cancel cane cape card care cargo carry cart case cash cast casual causal cause cell cent center chain chair change channel
chapter charge charger chart chat cheap cheat check cheque chef chest chief child choice choose chose circle claim clam class classic clean
clear click client climb clock clone close closed closer closet cloth cloud coach coast coat code coin cold color column comma command
comment common compact company compare compete complement complete compliment conform confirm content contest context contact contract
contrast control convert cook cool cope copper copy coral cord core cork corn cost council counsel count country county couple course court
cover crash cream create crew crime crop cross crowd crown cube currency current curse curve custom daily damage dance danger dare dark
dash data date dates dead deal dear death debit debt decade decent defect defer define delay delete deliver demand denial deny depart
depend deploy deposit depth desert design desk dessert detail detect device devise diary differ digit dine direct disable discount dish
disk display dock dome done door dose double down draft drag drain draw dream dress drift drill drink drive driver drop drown dual duel
duke dust duty dying each eager early earn east easy edge edit editor effect eight either elect eliminate email empty enable ended engine
enjoy enter entire entry equal equip erase error escape event every exact except excess exist exit expand expect expend expert expire
export expose express extend extent extra face fact fade fail failed fair faith fake fall false fame farm fast fate father fault fear
federal feed feel fell felt fence fetch fever field fight figure file filed fill filled film filter final find fine finger finish fire
firm first fiscal fish five fixed flag flair flame flare flash flat fleet flesh flight float flood floor flour flow flower fluid focus fold
follow font food foot force fork form formal format former forth forum forward found four frame free freight fresh friend from front fruit
fuel full fund funny future gain game gate gave gear general gentle ghost giant gift girl give given glass global goal goat gold golf gone
good grand grant grape graph grass grave great greed green greet grew grid grip gross ground group grow grown growth guard guess guest
guide guilt hair half hall hand hang happy hard harm hash hate have head heal health hear heard heart heat heavy held hell help herb herd
here hero hide high higher hill hint hire hold hole holiday home hood hook hope horn horse hose host hostel hotel hour house huge human
hunt hurry hurt idea ideal idle image impact import impose inch income indent index indoor inform inner input insert inside install instance
intend intent interval invest invite invoice iran iraq iron island issue item itself join joint judge jump junior just keen keep kept key
kick kill kind king kitchen knee knife know known label labor lack lady lake lamp land lane large laser last late later lattice laugh launch
layer lazy lead leader leaf league leak lean learn lease least leave left legal lemon lend length lens less lesson letter level lever lift
light like limb lime limit line link lion list listen live liver load loan local lock lodge long look loop loose lord lose loss lost loud
love lower luck lunch mail main major make male mall manage manor manual many march margin mark market marry mask mass master match mate
matter maybe mayor meal mean meat media medial median medical medium meet member memory mental merge merit merge mess message metal meter
method micro middle might mile milk mill mind mine minor minute miss mission mist mixed mobile mode model modem modern money monitor month
moral more morning most mother motion motor mount mouse mouth move movie much music must mute name named narrow nation native nature near
neck need nest network never news next nice night nine node noise none noon normal north nose note notice notion novel number nurse object
offer office often once only open opera operate option oral orange order organ origin other outer output outside over owner pace pack
package page paid pain paint pair pale palm panel paper parent park part partly party pass passed past paste patch path patient pause peace
peak pear peer pending people period permit person phase phone photo phrase pick piece pile pill pilot pink pint pipe place plain plan plane
plant plate play player please plot plug point pole police policy polite poll pond pool poor port pose position post potential pound power
present press price pride prime print prior private prize process produce product profile profit program project promise prompt proof
proper protect proud prove provide public publish pull pump pure purpose push qualify quality quarter query quest question quick quiet
quit quite quote race rack radio rail rain raise random range rank rapid rare rate rated rather ratio raise reach react read reader ready
real rear reason recall receipt receive recent record recover recruit reduce refer reform refund refuse region reject relate related
relation release relay relief rely remain remote remove rent repair repeat replace reply report request require rescue reserve reset
resign resist resolve resort resource respect respond rest result resume retail retain retire retreat return reveal reverse review revise
revive reward rice rich ride right ring rise risk river road robot rock role roll roof room root rope rose rough round route royal rule
rural rush safe safety said sail salad salary sale sales salt same sample sand save saved scale scan scene scheme school science scope score
scout scrap scrape screen script scroll seal search season seat second secret section sector secure seed seek seem select self sell send
senior sense sent separate serial series serve server service session settle seven shade shadow shape share sharp sheep sheer sheet shelf
shell shift shine ship shipped shirt shock shoe shoot shop shore short shot show shown shut sick side sight sign signal silent silk silver
similar simple since single sink site size skill skin skip sleep slice slide slight slim slip slow small smart smell smile smoke smooth
snack snake snow soap social sock soft soil sold solid solo solve some song soon sorry sort sorted soul sound soup source south space spare
speak special speed spell spend spin spirit split spoke sport spot spread spring square stable staff stage stair stake stamp stand staple
star stare start starts state stated static station stationary stationery status stay steady steak steal steam steel steep steer stem step
stick still stock stone stop stopped store storm story strange stream street stress strict strike string strip stroke strong student study
stuff style subject submit subway success such sudden suffer sugar suit suite summer summary supper supply support sure surface surge
survey swap sweat sweet swim swing switch symbol system table tail take taken tale talk tall tame tank tape target task taste team tear
tech tell temple tend tender tense tent term terms test tested text than thank that theme then there these they thick thin thing think
third this thorough though thought thread three through throw thus ticket tide tight tile till time timed timer times tiny tire tired title
toast today token told toll tone tool tooth topic torch total touch tour tower town trace track trade tragic trail train trait transfer
transform transit trap travel tray treat tree trend trial tribe trick tried trip troop trouble truck true trunk trust truth tube tune turn
twice twin type unable uncle under unify union unique unit unite united unity until update upgrade upload upper upset urban urge urgent
used user usual vague valid valley value valve various vary vast vector vendor venue verb verify version very vice video view village
visit visual vital vocal voice void volume vote voter wage wait waiter wake walk wall want war ware warm warn warning warming wash waste
watch water wave weak wealth wear weather web weekly weight weird welcome well went west what wheat wheel when where which while white
whole whose wide widow width wife wild will wind window wine wing winner winter wipe wire wise wish with within wolf woman wonder wood word
work worker world worn worry worse worst worth would wrap write writer wrong yard year yellow yield young your zero zone
compiled complied costumer dally diner manger marital martial quiet quite reserve reverse sever severe staring steam sting stream string
untied weakly
`

let words: ReadonlySet<string> | undefined

/** Whether a word in lower case is a common English word. */
export function isCommonWord(word: string): boolean {
  words ??= new Set(WORDS.trim().split(/\s+/))
  return words.has(word)
}
