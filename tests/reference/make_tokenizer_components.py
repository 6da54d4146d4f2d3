"""Writes tests/fixtures/tokenizers/components.jsonl: one tokenizer.json a line, each with one component more than
the models' own files show, and what the tokenizers library makes of a few texts with it.
Needs: pip install tokenizers==0.23.*    Usage: make_tokenizer_components.py OUTPUT.jsonl"""
import json
import sys

from tokenizers import Tokenizer

TEXTS = [
    "", " ", "Hello,  world!", "  it's 12a 3 \u00bd \u2167 x2 ", "Cafe\u0301 \u00c5ngstr\u00f6m \u1e69 \u1e9b\u0323",
    "\ufb01x \u0130I\u0131 \u212a \uff21 \u32ff", "\u4e2d\u6587abc\u3000\u85cf", "a\u0000b\ufffdc\u200d\u00ad d\u2028e\u0085f\u180eg",
    "he said: \"don't\" -- (he'LL) ... $5+3=8^`|~", "aabaa Ab aB [MASK] x [MASK]", "\u0e01\u0e33\u0e49 \u0939\u093f\u0928\u094d",
    "\ud55c\uad6d \u1112\u1161\u11ab", "line\r\n\r\n  next\tend \n", "\U0001f44d\U0001f3fd \U0001d518 e\u0323\u0301 q\u0301\u0323",
]
BEHAVIORS = ["Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous"]


def wordpiece():
    characters = "abcdefghijklmnopqrstuvwxyz0123456789.,!'\"()-\u00e9\u4e2d"
    tokens = ["[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    tokens += list(characters) + ["##" + c for c in characters] + ["hello", "world", "##ab", "aab", "##aa", "he"]
    return {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 8, "vocab": {t: i for i, t in enumerate(tokens)}}


def bpe(**options):
    prefix, suffix = options.get("continuing_subword_prefix") or "", options.get("end_of_word_suffix") or ""
    tokens = ["[UNK]"]
    for c in "abdehlorw ,.'\u00e9":
        tokens += [p + c + s for p in {"": 0, prefix: 0} for s in {"": 0, suffix: 0}]
    if options.get("byte_fallback"):
        tokens += ["<0x%02X>" % b for b in range(256)]
    merges = [["h", prefix + "e"], [prefix + "l", prefix + "l"], ["a", prefix + "a"], [prefix + "ll", prefix + "o" + suffix]]
    for left, right in merges:
        tokens.append(left + right[len(prefix):])
    if options.get("ignore_merges"):
        tokens.append("world")
    model = {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None,
             "end_of_word_suffix": None, "fuse_unk": False, "byte_fallback": False, "ignore_merges": False,
             "vocab": {t: i for i, t in enumerate(dict.fromkeys(tokens))}, "merges": merges}
    return model | options


def byte_bpe(**options):
    printable = list(range(33, 127)) + list(range(161, 173)) + list(range(174, 256))
    rest = [b for b in range(256) if b not in printable]
    tokens = ["<s>", "</s>"] + [chr(b) for b in printable] + [chr(256 + i) for i in range(len(rest))]
    merges = ["h e", "l l", "\u0120 h", "\u0120h e", "\u00c3 \u00a9", "a a"]
    tokens += ["".join(m.split()) for m in merges]
    model = bpe() | {"vocab": {t: i for i, t in enumerate(tokens)}, "merges": merges}
    return model | options


def added(content, **flags):
    token = dict(id=0, content=content, single_word=False, lstrip=False, rstrip=False, normalized=False, special=False)
    return token | flags


def file(name, model, **parts):
    tokenizer = {"version": "1.0", "truncation": None, "padding": None, "added_tokens": [], "normalizer": None,
                 "pre_tokenizer": None, "post_processor": None, "decoder": None, "model": model} | parts
    next_id = len(model["vocab"])
    for token in tokenizer["added_tokens"]:
        token["id"] = model["vocab"].get(token["content"], next_id)
        next_id += token["content"] not in model["vocab"]
    return name, tokenizer


def files():
    bert = {"type": "BertPreTokenizer"}
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    for form in ("NFC", "NFD", "NFKC", "NFKD", "Lowercase", "StripAccents"):
        yield file(form, byte_bpe(), normalizer={"type": form}, pre_tokenizer=byte_level)
    decomposed = {"type": "Sequence", "normalizers": [{"type": "NFKD"}, {"type": "StripAccents"}, {"type": "Lowercase"}]}
    yield file("normalizer Sequence", wordpiece(), normalizer=decomposed, pre_tokenizer=bert)
    yield file("Strip", byte_bpe(), normalizer={"type": "Strip", "strip_left": True, "strip_right": False}, pre_tokenizer=byte_level)
    yield file("Prepend", byte_bpe(), normalizer={"type": "Prepend", "prepend": "\u00e9a"}, pre_tokenizer=byte_level)
    for pattern in ({"String": "a"}, {"Regex": "\\s+"}):
        replace = {"type": "Replace", "pattern": pattern, "content": "<\u00e9>"}
        yield file("Replace", byte_bpe(), normalizer=replace, pre_tokenizer=byte_level)
    for clean, cjk, accents, lower in ((0, 1, None, 1), (1, 0, True, 0), (1, 1, False, 1), (0, 0, None, 0)):
        normalizer = {"type": "BertNormalizer", "clean_text": bool(clean), "handle_chinese_chars": bool(cjk),
                      "strip_accents": accents, "lowercase": bool(lower)}
        yield file("BertNormalizer", byte_bpe(), normalizer=normalizer, pre_tokenizer=byte_level)

    splits = [bert, {"type": "Whitespace"}, {"type": "WhitespaceSplit"},
              {"type": "Digits", "individual_digits": False}, {"type": "Digits", "individual_digits": True}]
    splits += [{"type": "Punctuation", "behavior": b} for b in BEHAVIORS]
    patterns = [{"String": " "}, {"Regex": "\\w+"}, {"Regex": "[^\\w\\s]+|^a|e$"}, {"Regex": "x*"},
                {"Regex": "(?i:'ll)|\\p{N}{1,3}|\\d"}, {"Regex": "\\W"}, {"Regex": "[\\h]+\\S?"}]
    for i, pattern in enumerate(patterns):
        for j in range(2):
            splits.append({"type": "Split", "pattern": pattern, "behavior": BEHAVIORS[(2 * i + j) % 5], "invert": j == 1 and i % 2 == 0})
    for split in splits:
        steps = {"type": "Sequence", "pretokenizers": [split, byte_level | {"use_regex": False}]}
        yield file(split["type"], byte_bpe(), pre_tokenizer=steps)
    yield file("ByteLevel prefix in Sequence", byte_bpe(), pre_tokenizer={
        "type": "Sequence", "pretokenizers": [{"type": "Digits", "individual_digits": True}, byte_level | {"add_prefix_space": True}]})
    yield file("no pre-tokenizer", wordpiece())

    words = {"type": "WhitespaceSplit"}
    decode_bytes = {"type": "Sequence", "decoders": [
        {"type": "Replace", "pattern": {"String": "a"}, "content": " A"}, {"type": "ByteFallback"}, {"type": "Fuse"},
        {"type": "Strip", "content": " ", "start": 1, "stop": 0}]}
    yield file("BPE unk", bpe(unk_token="[UNK]"), pre_tokenizer=words)
    yield file("BPE fuse_unk", bpe(unk_token="[UNK]", fuse_unk=True), pre_tokenizer=words)
    yield file("BPE byte_fallback", bpe(byte_fallback=True), decoder=decode_bytes)
    yield file("BPE affixes", bpe(unk_token="[UNK]", continuing_subword_prefix="##", end_of_word_suffix="</w>"),
               pre_tokenizer=words, decoder={"type": "BPEDecoder", "suffix": "</w>"})
    yield file("BPE ignore_merges", bpe(ignore_merges=True, unk_token="[UNK]"), pre_tokenizer=bert)

    tokens = [added("aa"), added(" x", rstrip=True), added("[MASK]", lstrip=True, special=True), added("b", single_word=True),
              added("HE", normalized=True), added("\u00e9", normalized=True, lstrip=True, rstrip=True)]
    yield file("added tokens", byte_bpe(), added_tokens=tokens, normalizer={"type": "Lowercase"}, pre_tokenizer=byte_level,
               decoder=byte_level)
    yield file("added tokens in WordPiece", wordpiece(), added_tokens=[dict(t) for t in tokens], pre_tokenizer=bert,
               decoder={"type": "WordPiece", "prefix": "##", "cleanup": False})

    roberta = {"type": "RobertaProcessing", "sep": ["</s>", 1], "cls": ["<s>", 0], "trim_offsets": True, "add_prefix_space": True}
    trim = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": False}
    template = {"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
                "pair": [], "special_tokens": {"<s>": {"id": "<s>", "ids": [0, 1], "tokens": ["<s>", "</s>"]}}}
    for processor in (roberta, roberta | {"trim_offsets": False}, {"type": "BertProcessing", "sep": ["</s>", 1], "cls": ["<s>", 0]},
                      trim, {"type": "Sequence", "processors": [trim | {"add_prefix_space": False}, template]}):
        yield file(processor["type"], byte_bpe(), pre_tokenizer=byte_level | {"add_prefix_space": True}, post_processor=processor)


def main():
    with open(sys.argv[1], "w", encoding="utf-8") as output:
        for name, tokenizer in files():
            reference = Tokenizer.from_str(json.dumps(tokenizer))
            cases = []
            for text in TEXTS:
                reference.no_truncation()
                encoding = reference.encode(text)
                reference.enable_truncation(6)
                cases.append({"text": text, "ids": encoding.ids, "tokens": encoding.tokens, "offsets": encoding.offsets,
                              "decoded": reference.decode(encoding.ids), "truncated_to_6": reference.encode(text).ids})
            line = {"name": name, "vocab_size": reference.get_vocab_size(), "tokenizer": tokenizer, "cases": cases}
            output.write(json.dumps(line, ensure_ascii=True, separators=(",", ":")) + "\n")


main()
