// The order of the classes, and finding one by the name a user or a file gives.
#pragma once
#include <span>
#include <string>
#include <vector>

namespace normscope {

// The distinct labels as classes. First that applies: `given` (the recipe's, which must hold every label);
// `checkpoint` when it holds exactly these labels; all integers numerically; strings by bytes.
// Throws Error(Usage) for a given order that lacks a label or repeats one.
std::vector<std::string> order_classes(std::span<const std::string> labels, std::span<const std::string> given,
                                       std::span<const std::string> checkpoint);

// Index of the class called `name`, or -1. A number is an index when no class is a number: the study's
// recipes name classes so, and data sets come with either.
int find_class(std::span<const std::string> classes, const std::string& name);

// "class "x" does not exist; classes are a, b; did you mean "a"?" (at most 20 are listed)
std::string unknown_class(std::span<const std::string> classes, const std::string& name);

}  // namespace normscope
