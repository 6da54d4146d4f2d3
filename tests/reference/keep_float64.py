"""Keeps a model in float64 where transformers computes a part in float32 on purpose."""
import torch
from torch.overrides import TorchFunctionMode


class KeepFloat64(TorchFunctionMode):
    """While active, whatever asks for float32 (norms, softmax, rotary angles, scales) gets float64."""

    def __torch_function__(self, function, types, arguments=(), options=None):
        if function is torch.Tensor.float:
            return arguments[0].double()
        arguments = tuple(torch.float64 if value is torch.float32 else value for value in arguments)
        options = {name: torch.float64 if value is torch.float32 else value
                   for name, value in (options or {}).items()}
        return function(*arguments, **options)


def widen_rotary_angles(model):
    """Computes the rotary frequencies again: those in the model were rounded to float32 when it was built."""
    for module in model.modules():
        if getattr(module, "rope_type", "") == "default":
            module.inv_freq, _ = module.compute_default_rope_parameters(module.config)
