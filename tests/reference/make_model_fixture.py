#!/usr/bin/env python3
"""Makes a fixture for `normscope verify` with Hugging Face transformers: weights, inputs and what must come out.

  make_model_fixture.py FOLDER --checkpoint DIR [--inputs FILE]    any checkpoint with a classification head
  make_model_fixture.py FOLDER --model-type bert [--seed N]        a tiny model with random weights

Everything is computed in float64 with dropout off; tensors of rank 2 and more are stored as float32.
Needs torch, transformers and safetensors.
"""
import argparse
import json
import pathlib
import re
import tempfile

import torch
import transformers
from safetensors.torch import load_file, save_file
from torch.nn.functional import cross_entropy

from keep_float64 import KeepFloat64, widen_rotary_angles

NUM_STEPS = 10
LEARNING_RATE, BETA1, BETA2, EPS = 1e-3, 0.9, 0.999, 1e-6
# The sizes of the tiny models; each config class takes the names that it knows.
TINY = dict(hidden_size=32, num_hidden_layers=3, num_attention_heads=4, intermediate_size=64, vocab_size=96,
            max_position_embeddings=80, image_size=32, patch_size=8, num_labels=5)
TINY_BY_TYPE = {
    "deberta": dict(relative_attention=True, pos_att_type=["c2p", "p2c"], position_biased_input=False,
                    type_vocab_size=0, pooler_hidden_size=32),
    "deit": dict(architectures=["DeiTForImageClassification"]),
    "electra": dict(embedding_size=32),
    "gpt2": dict(bos_token_id=95, eos_token_id=95, pad_token_id=95),
    "gpt_neo": dict(bos_token_id=95, eos_token_id=95, pad_token_id=95, intermediate_size=None, window_size=8,
                    attention_types=[[["global", "local", "global"], 1]]),
    "longformer": dict(attention_window=[8, 8, 8], max_position_embeddings=130),
    "qwen2": dict(bos_token_id=95, eos_token_id=95, pad_token_id=95, num_key_value_heads=2),
}
# Where the study reads the sequence: it puts a linear layer without bias on top (its other heads are transformers').
PAPER_HEADS = {"bert": "pooler", "distilbert": "first", "roberta": "new_pooler", "longformer": "new_pooler",
               "gpt2": "last", "gpt_neo": "last", "qwen2": "last"}


def load_model(checkpoint):
    """The classification model of a checkpoint folder, in float64 and eval mode."""
    config = transformers.AutoConfig.from_pretrained(checkpoint)
    return auto_class(config).from_pretrained(checkpoint, dtype=torch.float64, attn_implementation="eager").eval()


def tiny_model(model_type, seed):
    """A model of three small blocks; every tensor is drawn, so that no zero bias hides a mistake."""
    defaults = transformers.AutoConfig.for_model(model_type)
    settings = {key: value for key, value in TINY.items() if hasattr(defaults, key)}
    settings.update(TINY_BY_TYPE.get(model_type, {}))
    config = transformers.AutoConfig.for_model(model_type, **settings)
    if getattr(config, "vocab_size", None) and getattr(config, "pad_token_id", None) is None:
        config.pad_token_id = config.vocab_size - 1  # as the study pads decoders: with the end token
    model = auto_class(config).from_config(config, attn_implementation="eager")
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            centre = 1.0 if parameter.dim() == 1 and name.endswith("weight") else 0.0
            parameter.copy_(centre + 0.2 * torch.randn(parameter.shape, generator=generator))
    return model.double().eval()


def auto_class(config):
    is_image = type(config) in transformers.AutoModelForImageClassification._model_mapping
    return transformers.AutoModelForImageClassification if is_image else \
        transformers.AutoModelForSequenceClassification


def kind_of(model):
    if model.main_input_name == "pixel_values":
        return "image"
    return "causal" if hasattr(model, "score") else "text"


def draw_inputs(model, seed):
    """Four rows of unequal length, padded on the side that the model's kind is padded on."""
    config, generator = model.config, torch.Generator().manual_seed(seed + 1)
    labels = torch.randint(config.num_labels, (4,), generator=generator)
    if kind_of(model) == "image":
        shape = (4, config.num_channels, config.image_size, config.image_size)
        return {"pixel_values": torch.randn(shape, generator=generator, dtype=torch.float64), "labels": labels}
    lengths, width = (23, 9, 17, 5), 23
    # The lowest ids and the last one are special tokens in most vocabularies.
    input_ids = torch.randint(5, config.vocab_size - 1, (4, width), generator=generator)
    attention_mask = torch.zeros(4, width, dtype=torch.int64)
    for row, length in enumerate(lengths):
        attention_mask[row, -length if kind_of(model) == "causal" else 0:][:length] = 1
    input_ids[attention_mask == 0] = config.pad_token_id
    return {"input_ids": input_ids, "attention_mask": attention_mask, "labels": labels}


def published_names(model):
    """Parameter name in memory -> in the saved file: this library renames some models' layers when it loads them."""
    names = list(dict(model.named_parameters()))
    numbered = {name: torch.full(tensor.shape, number, dtype=torch.int32)
                for number, (name, tensor) in enumerate(model.named_parameters())}
    with tempfile.TemporaryDirectory() as folder:
        model.save_pretrained(folder, state_dict={**model.state_dict(), **numbered})
        files = sorted(pathlib.Path(folder).glob("*.safetensors"))
        saved = {name: tensor for file in files for name, tensor in load_file(file).items()}
    published = {names[int(tensor.flatten()[0])]: name for name, tensor in saved.items() if tensor.numel()}
    if len(published) != len(names):
        raise SystemExit("parameters are merged or split when saved: " + ", ".join(set(names) - set(published)))
    return published


def norm_modules(model, names):
    """Published name -> module of every normalisation layer, in the model's order."""
    return {names[f"{name}.weight"].removesuffix(".weight"): module for name, module in model.named_modules()
            if re.search(r"(Layer|RMS)Norm$", type(module).__name__)
            and getattr(module, "weight", None) is not None}


def layer_of(norm_name):
    """Index of the block that a norm is part of; None for embedding and final norms."""
    number = re.search(r"\.(\d+)\.", norm_name)
    return int(number[1]) if number else None


def layer_groups(norms):
    """Thirds of the blocks, the remainder to the later ones."""
    num_layers = 1 + max(layer_of(name) for name in norms if layer_of(name) is not None)
    third = num_layers // 3
    return {"early": list(range(third)), "middle": list(range(third, 2 * third)),
            "later": list(range(2 * third, num_layers))}


class NormWatcher:
    """Keeps every norm's input with its whole gradient, and a copy whose gradient came back through the norm only."""

    def __init__(self, norms):
        self.inputs, self.copies = {}, {}
        self.handles = [module.register_forward_pre_hook(self._hook(name)) for name, module in norms.items()]

    def _hook(self, name):
        def keep(_module, arguments):
            x = arguments[0]
            x.retain_grad()
            copy = x.clone()
            copy.retain_grad()
            self.inputs[name], self.copies[name] = x, copy
            return (copy, *arguments[1:])
        return keep

    def close(self):
        for handle in self.handles:
            handle.remove()

    def placement(self):
        """In a post-norm block the norm is all that reads its input, so the branch is the whole gradient."""
        same = [torch.equal(x.grad, self.copies[name].grad)
                for name, x in self.inputs.items() if layer_of(name) is not None]
        return "post" if all(same) else "pre"


def run_model(model, inputs):
    return model(**{name: tensor for name, tensor in inputs.items() if name != "labels"}).logits


def forward_and_backward(model, inputs, names, norms):
    """Returns (expected tensors, placement): logits, summed loss, gradients, norm inputs and their gradients."""
    watcher = NormWatcher(norms)
    model.zero_grad()
    logits = run_model(model, inputs)
    loss = cross_entropy(logits, inputs["labels"], reduction="sum")
    loss.backward()
    watcher.close()
    expected = {"logits": logits, "loss_sum": loss.reshape(1)}
    for name, parameter in model.named_parameters():
        if parameter.grad is not None:
            expected[f"param_grad.{names[name]}"] = parameter.grad
    for name in norms:
        expected[f"norm_input.{name}"] = watcher.inputs[name]
        expected[f"norm_input_grad.{name}"] = watcher.inputs[name].grad
    return {name: tensor.detach().clone() for name, tensor in expected.items()}, watcher.placement()


def logits_without(model, inputs, chosen):
    """Logits with the scale and shift of the chosen norms neutral, which is what removing them means."""
    kept = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    with torch.no_grad():
        for module in chosen:
            module.weight.fill_(1.0)
            if getattr(module, "bias", None) is not None:
                module.bias.zero_()
        logits = run_model(model, inputs)
    model.load_state_dict(kept)
    return logits


def paper_head(model, inputs, seed):
    """The study's head on the same encoder: weights and logits; {} where transformers' head is the study's."""
    place = PAPER_HEADS.get(model.config.model_type)
    if place is None:
        return {}
    generator = torch.Generator().manual_seed(seed + 2)
    width = model.config.hidden_size
    tensors = {"weight": 0.2 * torch.randn(model.config.num_labels, width, generator=generator)}
    if place == "new_pooler":
        tensors["pooler.dense.weight"] = 0.2 * torch.randn(width, width, generator=generator)
        tensors["pooler.dense.bias"] = 0.2 * torch.randn(width, generator=generator)
    return paper_head_logits(model, inputs, {name: tensor.double() for name, tensor in tensors.items()})


def paper_head_logits(model, inputs, tensors):
    place = PAPER_HEADS[model.config.model_type]
    with torch.no_grad():
        hidden = model.base_model(input_ids=inputs["input_ids"], attention_mask=inputs["attention_mask"])[0]
        # Left padded rows all end at the last position.
        state = hidden[:, -1] if place == "last" else hidden[:, 0]
        if place == "pooler":
            state = torch.tanh(model.base_model.pooler.dense(state))
        elif place == "new_pooler":
            state = torch.tanh(state @ tensors["pooler.dense.weight"].T + tensors["pooler.dense.bias"])
        logits = state @ tensors["weight"].T
    return {"paper_head.logits": logits, **{f"paper_head.{name}": tensor for name, tensor in tensors.items()}}


def adamw_curve(model, inputs):
    """Mean loss before each of ten full-batch steps; eps is added before the bias correction. Changes the model."""
    parameters = [parameter for parameter in model.parameters() if parameter.requires_grad]
    first = [torch.zeros_like(parameter) for parameter in parameters]
    second = [torch.zeros_like(parameter) for parameter in parameters]
    losses = []
    for step in range(1, NUM_STEPS + 1):
        model.zero_grad()
        loss = cross_entropy(run_model(model, inputs), inputs["labels"])
        loss.backward()
        losses.append(loss.detach())
        step_size = LEARNING_RATE * (1 - BETA2**step) ** 0.5 / (1 - BETA1**step)
        with torch.no_grad():
            for parameter, m, v in zip(parameters, first, second):
                if parameter.grad is not None:
                    m.mul_(BETA1).add_(parameter.grad, alpha=1 - BETA1)
                    v.mul_(BETA2).addcmul_(parameter.grad, parameter.grad, value=1 - BETA2)
                    parameter.addcdiv_(m, v.sqrt().add_(EPS), value=-step_size)
    return torch.stack(losses)


def compute_expected(model, inputs, seed):
    """Returns (expected tensors, meta). Call it inside KeepFloat64."""
    widen_rotary_angles(model)
    names = published_names(model)
    norms = norm_modules(model, names)
    groups = layer_groups(norms)
    expected, placement = forward_and_backward(model, inputs, names, norms)
    expected["removed_all.logits"] = logits_without(model, inputs, norms.values())
    for group, layers in groups.items():
        chosen = [module for name, module in norms.items() if layer_of(name) in layers]
        expected[f"removed_{group}.logits"] = logits_without(model, inputs, chosen)
    expected.update(paper_head(model, inputs, seed))
    expected["adamw_curve.loss"] = adamw_curve(model, inputs)
    meta = {
        "architecture": model.config.model_type.replace("-", "_"), "placement": placement, "kind": kind_of(model),
        "transformers": transformers.__version__, "torch": torch.__version__,
        "norm_modules": list(norms),
        "norm_types": {name: type(module).__name__ for name, module in norms.items()},
        "removed_all": "every norm of the model, embedding and final ones included",
        "error_measure": "largest |difference| over max(largest |expected| of the tensor, 1e-3 * largest |expected| "
                         "of its group); padding positions are not compared",
        "norm_input_grad": "the whole gradient of the norm's input, residual path included",
        "groups": groups,
        "float64_throughout": True,
        "dtype_of_expected": "computed in float64; tensors of rank 2 and more stored as float32",
        "adamw_curve": "10 steps, full batch, lr 1e-3, betas .9/.999, eps 1e-6 added to sqrt(v) before bias "
                       "correction, mean cross entropy, dropout off",
        "loss": "cross entropy summed over the batch",
    }
    return expected, meta


def stored(tensors):
    return {name: (tensor.float() if tensor.dim() > 1 else tensor.double()).contiguous()
            for name, tensor in tensors.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--checkpoint", type=pathlib.Path)
    source.add_argument("--model-type")
    parser.add_argument("--inputs", type=pathlib.Path, help="an inputs.safetensors instead of random rows")
    parser.add_argument("--seed", type=int, default=28)
    options = parser.parse_args()

    model = load_model(options.checkpoint) if options.checkpoint else tiny_model(options.model_type, options.seed)
    inputs = load_file(options.inputs) if options.inputs else draw_inputs(model, options.seed)
    options.folder.mkdir(parents=True, exist_ok=True)
    # float32 weights are what the expected values are computed from.
    model.float()
    model.save_pretrained(options.folder)
    model.double()
    with KeepFloat64():
        expected, meta = compute_expected(model, inputs, options.seed)
    save_file(inputs, options.folder / "inputs.safetensors")
    save_file(stored(expected), options.folder / "expected.safetensors")
    (options.folder / "meta.json").write_text(json.dumps(meta, indent=1) + "\n")


if __name__ == "__main__":
    main()
